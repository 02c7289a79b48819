#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trainyard::test {

/// What one run of the command-line program gave.
struct Run {
    int status = -1;
    QByteArray out;
    QByteArray messages;  ///< standard error

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out.toStdString(), nullptr, false); }
    /// One JSON value per line.
    [[nodiscard]] std::vector<nlohmann::json> lines() const {
        std::vector<nlohmann::json> values;
        for (const QByteArray& line : out.split('\n'))
            if (!line.isEmpty()) values.push_back(nlohmann::json::parse(line.toStdString(), nullptr, false));
        return values;
    }
};

/// Runs `trainyard-cli` as a shell would; status -1: it did not start, did not end in a minute, or crashed.
inline Run runCommandLine(const QStringList& arguments, const QByteArray& input = {}) {
    QProcess process;
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), arguments);
    Run run;
    if (!process.waitForStarted()) return run;
    process.write(input);
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(60'000);
    run.out = process.readAllStandardOutput();
    run.messages = process.readAllStandardError();
    if (!ended) process.kill();
    if (ended && process.exitStatus() == QProcess::NormalExit) run.status = process.exitCode();
    return run;
}

inline QString sourceFile(const QString& path) {
    return qEnvironmentVariable("TRAINYARD_SOURCE_DIR", QStringLiteral(".")) + QLatin1Char('/') + path;
}
inline QString shippedScenario(const QString& id) {
    return sourceFile(QStringLiteral("presets/scenarios/%1.trainyard.json").arg(id));
}

}  // namespace trainyard::test
