#pragma once

#include <QWidget>

namespace trainyard {

class PlanDocument;
class Selection;

class MemoryPanel : public QWidget {
    Q_OBJECT
  public:
    MemoryPanel(PlanDocument* document, Selection* selection, QWidget* parent = nullptr);
};

}  // namespace trainyard
