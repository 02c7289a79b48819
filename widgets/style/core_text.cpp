#include "widgets/style/core_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace trainyard {
namespace {

constexpr const char* kContext = "core";
constexpr int kMostNumbers = 9;

}  // namespace

QString coreText(std::string_view english) {
    const QByteArray bytes(english.data(), static_cast<qsizetype>(english.size()));
    const QString plain = QString::fromUtf8(bytes);
    const QString whole = QCoreApplication::translate(kContext, bytes.constData());
    if (whole != plain) return whole;
    // "stage 3" is looked up as "stage %1".
    QString key;
    QStringList numbers;
    for (qsizetype at = 0; at < plain.size();) {
        if (!plain.at(at).isDigit() || numbers.size() == kMostNumbers) {
            key += plain.at(at++);
            continue;
        }
        qsizetype end = at;
        while (end < plain.size() && plain.at(end).isDigit()) ++end;
        numbers << plain.mid(at, end - at);
        key += QLatin1Char('%') + QString::number(numbers.size());
        at = end;
    }
    const QString pattern = QCoreApplication::translate(kContext, key.toUtf8().constData());
    if (numbers.isEmpty() || pattern == key) return plain;
    QString out = pattern;
    for (qsizetype i = 0; i < numbers.size(); ++i) out.replace(QLatin1Char('%') + QString::number(i + 1), numbers[i]);
    return out;
}

}  // namespace trainyard
