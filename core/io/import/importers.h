#pragma once

#include "core/io/import/importer.h"

// The importers, each defined in its own file import_*.cpp.

namespace trainyard {

extern const Importer kHfImporter;
extern const Importer kTopologyMatrixImporter;
extern const Importer kMegatronImporter;
extern const Importer kHostfileImporter;
extern const Importer kDeepspeedImporter;
extern const Importer kTorchtitanImporter;
extern const Importer kNemoImporter;
extern const Importer kNanotronImporter;
extern const Importer kAccelerateImporter;
extern const Importer kSlurmImporter;
extern const Importer kKubernetesImporter;
extern const Importer kHwlocImporter;
extern const Importer kNcclImporter;
extern const Importer kNcclTestsImporter;
extern const Importer kScheduleCsvImporter;
extern const Importer kTraceImporter;

}  // namespace trainyard
