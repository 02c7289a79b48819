#pragma once

#include "core/io/import/importer.h"

// The importers, each defined in its own file import_*.cpp.

namespace trainyard {

extern const Importer kHfImporter;
extern const Importer kTopologyMatrixImporter;
extern const Importer kMegatronImporter;
extern const Importer kHostfileImporter;
extern const Importer kDeepspeedImporter;

}  // namespace trainyard
