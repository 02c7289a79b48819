#include "widgets/timeline/playground_panel.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPointer>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QThreadPool>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/schedule/registry.h"
#include "widgets/style/core_text.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/timeline/timeline_board.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard {
namespace {

constexpr int kMostSchedules = 4;
constexpr double kInLineActions = 20000;  ///< below, waiting for a worker would only add flicker
constexpr int kControlWidth = 292;

/// A name, a slider and a box that say the same number.
template <class Box>
void addSliderRow(QFormLayout* form, const QString& name, const QString& tip, Box* box, double perStep) {
    auto* slider = new QSlider(Qt::Horizontal, box->parentWidget());
    slider->setRange(static_cast<int>(std::lround(static_cast<double>(box->minimum()) / perStep)),
                     static_cast<int>(std::lround(static_cast<double>(box->maximum()) / perStep)));
    slider->setAccessibleName(name);
    slider->setToolTip(tip);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setFixedWidth(72);
    box->setAlignment(Qt::AlignRight);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(slider, 1);
    row->addWidget(box);
    auto* label = new QLabel(name, box->parentWidget());
    label->setBuddy(box);
    label->setFixedWidth(92);
    label->setMinimumHeight(box->sizeHint().height());
    form->addRow(label, row);
    using Value = std::conditional_t<std::is_same_v<Box, QSpinBox>, int, double>;
    QObject::connect(slider, &QSlider::valueChanged, box,
                     [box, perStep](int step) { box->setValue(static_cast<Value>(step * perStep)); });
    QObject::connect(box, qOverload<Value>(&Box::valueChanged), slider, [slider, perStep](Value value) {
        const QSignalBlocker blocked(slider);
        slider->setValue(static_cast<int>(std::lround(static_cast<double>(value) / perStep)));
    });
    const QSignalBlocker blocked(slider);
    slider->setValue(static_cast<int>(std::lround(static_cast<double>(box->value()) / perStep)));
}

QString viewText(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

}  // namespace

QLabel* PlaygroundPanel::heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setFont(type::font(type::kSecondary, QFont::DemiBold));
    label->setContentsMargins(0, 8, 0, 2);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

PlaygroundPanel::PlaygroundPanel(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Schedule playground"));
    setup_.schedules = {"1f1b", "interleaved-1f1b", "zb-h1"};
    setup_.devices = 4;
    setup_.microBatches = 8;
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* controls = new QWidget;
    auto* controlLayout = new QVBoxLayout(controls);
    controlLayout->setContentsMargins(space::kPanelPadding, 4, space::kPanelPadding, space::kPanelPadding);
    controlLayout->setSpacing(2);
    buildControls(controlLayout);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(controls);
    area->setFixedWidth(kControlWidth);
    layout->addWidget(area);
    board_ = new TimelineBoard(this);
    layout->addWidget(board_, 1);
    // A micro-batch chosen in one picture is shown in all: the same work in another order.
    connect(board_, &TimelineBoard::spanClicked, this, [this](int entry, std::optional<std::uint32_t> span) {
        std::optional<int> microBatch;
        if (span && board_->entry(entry).model->laneOf(*span) == Lane::compute) {
            microBatch = static_cast<int>(board_->entry(entry).model->timeline().action[*span].microBatch);
        }
        for (int index = 0; index < board_->count(); ++index) {
            board_->view(index).setSelectedMicroBatch(microBatch);
            if (index != entry) board_->view(index).setSelectedSpan(std::nullopt);
        }
    });
    connect(board_, &TimelineBoard::rowClicked, this, [this](int, int row) {
        for (int index = 0; index < board_->count(); ++index) board_->view(index).setSelectedRow(row);
    });
    fillControls();
    present(playTimelines(setup_));
}

void PlaygroundPanel::buildControls(QVBoxLayout* layout) {
    auto* parent = this;
    layout->addWidget(heading(tr("SCHEDULES"), parent));
    rowLayout_ = new QVBoxLayout;
    rowLayout_->setSpacing(4);
    layout->addLayout(rowLayout_);
    addButton_ = new QToolButton(parent);
    addButton_->setText(tr("Compare with another"));
    addButton_->setIcon(icon(QStringLiteral("plus")));
    addButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    addButton_->setProperty("quiet", true);
    layout->addWidget(addButton_);
    buildOwn(layout);
    connect(addButton_, &QToolButton::clicked, this, [this] {
        // The next one that is not on show yet.
        for (const ScheduleDefinition* definition : allSchedules()) {
            const std::string id(definition->id);
            if (std::find(setup_.schedules.begin(), setup_.schedules.end(), id) != setup_.schedules.end()) continue;
            PlaygroundSetup next = setup_;
            next.schedules.push_back(id);
            setSetup(std::move(next));
            return;
        }
    });

    const auto spin = [&](int least, int most) {
        auto* box = new QSpinBox(parent);
        box->setRange(least, most);
        connect(box, qOverload<int>(&QSpinBox::valueChanged), this, &PlaygroundPanel::takeControls);
        return box;
    };
    const auto number = [&](double least, double most) {
        auto* box = new QDoubleSpinBox(parent);
        box->setRange(least, most);
        box->setDecimals(1);
        box->setSingleStep(0.1);
        connect(box, qOverload<double>(&QDoubleSpinBox::valueChanged), this, &PlaygroundPanel::takeControls);
        return box;
    };
    const auto form = [&](const QString& title) {
        layout->addWidget(heading(title, parent));
        auto* made = new QFormLayout;
        made->setVerticalSpacing(4);
        made->setHorizontalSpacing(6);
        made->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        layout->addLayout(made);
        return made;
    };
    devices_ = spin(1, 64);
    microBatches_ = spin(1, 256);
    chunks_ = spin(2, 8);
    slices_ = spin(1, 16);
    auto* work = form(tr("WORK"));
    addSliderRow(work, tr("Devices"), tr("Pipeline stages p"), devices_, 1);
    addSliderRow(work, tr("Micro-batches"), tr("Micro-batches per step m"), microBatches_, 1);
    addSliderRow(work, tr("Chunks"), tr("Model chunks per device v, for schedules that interleave"), chunks_, 1);
    addSliderRow(work, tr("Slices"), tr("Sequence slices per micro-batch k, for schedules that cut sequences"), slices_, 1);

    forward_ = number(0.1, 5);
    backwardInput_ = number(0.1, 5);
    backwardWeight_ = number(0.1, 5);
    communication_ = number(0, 3);
    auto* times = form(tr("TIMES, ONE MICRO-BATCH ON ONE DEVICE"));
    addSliderRow(times, tr("Forward"), tr("Units for the whole share of a device"), forward_, 0.1);
    addSliderRow(times, tr("Input grad."), tr("Backward for inputs"), backwardInput_, 0.1);
    addSliderRow(times, tr("Weight grad."), tr("Backward for weights"), backwardWeight_, 0.1);
    addSliderRow(times, tr("Transfer"), tr("From one device to the next"), communication_, 0.1);

    slowDevice_ = spin(-1, 63);
    slowDevice_->setSpecialValueText(tr("none"));
    slowFactor_ = number(1, 4);
    auto* uneven = form(tr("UNEVEN STAGE"));
    addSliderRow(uneven, tr("Slow stage"), tr("The part of the model on this device takes longer"), slowDevice_, 1);
    addSliderRow(uneven, tr("Times"), tr("How much longer"), slowFactor_, 0.1);
    jitter_ = number(0, 0.5);
    jitter_->setDecimals(2);
    jitter_->setSingleStep(0.05);
    addSliderRow(uneven, tr("Jitter"), tr("Every action takes up to this share longer or shorter"), jitter_, 0.05);

    parameterBox_ = new QWidget(parent);
    parameterLayout_ = new QFormLayout(parameterBox_);
    parameterLayout_->setContentsMargins(0, 0, 0, 0);
    parameterLayout_->setVerticalSpacing(4);
    layout->addWidget(parameterBox_);
    layout->addStretch(1);
}

void PlaygroundPanel::addScheduleRow() {
    Row row{};
    row.widget = new QWidget(this);
    auto* column = new QVBoxLayout(row.widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    row.choice = new QComboBox(row.widget);
    row.choice->setMaxVisibleItems(24);
    row.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.choice->setMinimumContentsLength(12);
    for (const ScheduleDefinition* definition : allSchedules()) {
        row.choice->addItem(viewText(definition->title), viewText(definition->id));
        const QString tip = coreText(definition->summary) + QLatin1Char('\n') + viewText(definition->reference);
        row.choice->setItemData(row.choice->count() - 1, tip, Qt::ToolTipRole);
    }
    row.choice->addItem(tr("Own schedule"), QString::fromLatin1(kOwnSchedule));
    row.choice->setItemData(row.choice->count() - 1, tr("Written below: one line per device, for example F0.0 F1.0 B0.0 B1.0"),
                            Qt::ToolTipRole);
    row.remove = new QToolButton(row.widget);
    row.remove->setIcon(icon(QStringLiteral("x")));
    row.remove->setProperty("quiet", true);
    row.remove->setAccessibleName(tr("Remove this schedule"));
    row.remove->setToolTip(tr("Remove this schedule"));
    line->addWidget(row.choice, 1);
    line->addWidget(row.remove);
    column->addLayout(line);
    row.problem = new QLabel(row.widget);
    row.problem->setWordWrap(true);
    row.problem->setFont(type::font(type::kCaption));
    row.problem->hide();
    column->addWidget(row.problem);
    rowLayout_->addWidget(row.widget);
    const std::size_t index = rows_.size();
    row.choice->setAccessibleName(tr("Schedule %1").arg(index + 1));
    rows_.push_back(row);
    connect(row.choice, qOverload<int>(&QComboBox::currentIndexChanged), this, &PlaygroundPanel::takeControls);
    connect(row.remove, &QToolButton::clicked, this, [this, index] {
        PlaygroundSetup next = setup_;
        next.schedules.erase(next.schedules.begin() + static_cast<std::ptrdiff_t>(index));
        setSetup(std::move(next));
    });
}

void PlaygroundPanel::setSetup(PlaygroundSetup setup) {
    if (setup.schedules.empty()) setup.schedules = {"1f1b"};
    if (setup.schedules.size() > kMostSchedules) setup.schedules.resize(kMostSchedules);
    if (setup == setup_) return;
    setup_ = std::move(setup);
    fillControls();
    play();
}

void PlaygroundPanel::showResults(PlaygroundSetup setup, std::vector<PlaygroundResult> results) {
    setup_ = std::move(setup);
    fillControls();
    present(std::move(results));
}

void PlaygroundPanel::fillControls() {
    isFilling_ = true;
    while (rows_.size() < setup_.schedules.size()) addScheduleRow();
    for (std::size_t index = 0; index < rows_.size(); ++index) {
        const bool isUsed = index < setup_.schedules.size();
        rows_[index].widget->setVisible(isUsed);
        rows_[index].remove->setVisible(setup_.schedules.size() > 1);
        if (!isUsed) continue;
        const ScheduleDefinition* definition = findScheduleOrNull(setup_.schedules[index]);
        const QString id = definition == nullptr ? QString::fromStdString(setup_.schedules[index]) : viewText(definition->id);
        rows_[index].choice->setCurrentIndex(rows_[index].choice->findData(id));
        rows_[index].choice->setToolTip(definition == nullptr ? QString() : coreText(definition->summary));
    }
    addButton_->setVisible(setup_.schedules.size() < kMostSchedules);
    devices_->setValue(setup_.devices);
    microBatches_->setValue(setup_.microBatches);
    chunks_->setValue(setup_.chunks);
    slices_->setValue(setup_.slices);
    forward_->setValue(setup_.forward);
    backwardInput_->setValue(setup_.backwardInput);
    backwardWeight_->setValue(setup_.backwardWeight);
    communication_->setValue(setup_.communication);
    slowDevice_->setValue(setup_.slowDevice);
    slowFactor_->setValue(setup_.slowFactor);
    jitter_->setValue(setup_.jitter);
    const bool hasOwn = std::find(setup_.schedules.begin(), setup_.schedules.end(), kOwnSchedule) != setup_.schedules.end();
    ownBox_->setVisible(hasOwn);
    // Only if it differs, so that the cursor stays where someone types.
    const QString own = QString::fromStdString(setup_.ownText);
    if (ownText_->toPlainText() != own) ownText_->setPlainText(own);
    fillParameters();
    isFilling_ = false;
}

void PlaygroundPanel::fillParameters() {
    // The parameters of the schedules on show, each once; 0 leaves the choice to the schedule.
    std::vector<const ScheduleParameter*> wanted;
    for (const std::string& name : setup_.schedules) {
        const ScheduleDefinition* definition = findScheduleOrNull(name);
        if (definition == nullptr) continue;
        for (const ScheduleParameter& parameter : definition->parameters) {
            const bool isThere =
                std::any_of(wanted.begin(), wanted.end(), [&](const auto* other) { return other->key == parameter.key; });
            if (!isThere) wanted.push_back(&parameter);
        }
    }
    const bool isSame =
        wanted.size() == parameters_.size() && std::equal(wanted.begin(), wanted.end(), parameters_.begin(),
                                                          [](const auto* a, const auto& b) { return a->key == b.first; });
    if (!isSame) {
        while (parameterLayout_->rowCount() > 0) parameterLayout_->removeRow(0);
        parameters_.clear();
        if (!wanted.empty()) parameterLayout_->addRow(heading(tr("PARAMETERS"), parameterBox_));
        for (const ScheduleParameter* parameter : wanted) {
            auto* box = new QSpinBox(parameterBox_);
            box->setRange(std::min(0, static_cast<int>(std::max<std::int64_t>(parameter->minimum, -1))),
                          static_cast<int>(std::min<std::int64_t>(parameter->maximum, 1'000'000)));
            box->setSpecialValueText(tr("auto"));
            box->setToolTip(viewText(parameter->help));
            box->setAccessibleName(viewText(parameter->key));
            box->setFixedWidth(90);
            QString name = viewText(parameter->key);
            name[0] = name[0].toUpper();
            parameterLayout_->addRow(name, box);
            parameters_.emplace_back(std::string(parameter->key), box);
            connect(box, qOverload<int>(&QSpinBox::valueChanged), this, &PlaygroundPanel::takeControls);
        }
    }
    for (auto& [key, box] : parameters_) {
        int value = box->minimum();
        for (const auto& [name, set] : setup_.parameters) {
            if (name == key) value = static_cast<int>(set);
        }
        const QSignalBlocker blocked(box);
        box->setValue(value);
    }
}

void PlaygroundPanel::takeControls() {
    if (isFilling_) return;
    PlaygroundSetup next = setup_;
    typing_.stop();
    next.ownText = ownText_->toPlainText().toStdString();
    for (std::size_t index = 0; index < next.schedules.size(); ++index) {
        const std::string before = next.schedules[index];
        next.schedules[index] = rows_[index].choice->currentData().toString().toStdString();
        // One's own begins as what stood there.
        if (next.schedules[index] == kOwnSchedule && next.ownText.empty()) next.ownText = orderOf(setup_, before);
    }
    next.devices = devices_->value();
    next.microBatches = microBatches_->value();
    next.chunks = chunks_->value();
    next.slices = slices_->value();
    next.forward = forward_->value();
    next.backwardInput = backwardInput_->value();
    next.backwardWeight = backwardWeight_->value();
    next.communication = communication_->value();
    next.slowDevice = slowDevice_->value();
    next.slowFactor = slowFactor_->value();
    next.jitter = jitter_->value();
    next.parameters.clear();
    for (const auto& [key, box] : parameters_) {
        if (box->value() != box->minimum()) next.parameters.emplace_back(key, box->value());
    }
    setSetup(std::move(next));
}

void PlaygroundPanel::play() {
    if (isRunning_) {
        isStale_ = true;  // the running one finishes, then the newest setup is played
        return;
    }
    if (playgroundActions(setup_) <= kInLineActions) {
        present(playTimelines(setup_));
        return;
    }
    isRunning_ = true;
    isStale_ = false;
    QThreadPool::globalInstance()->start([setup = setup_, panel = QPointer<PlaygroundPanel>(this)] {
        auto results = playTimelines(setup);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [panel, results = std::move(results)]() mutable {
                if (panel.isNull()) return;
                panel->isRunning_ = false;
                const bool isStale = panel->isStale_;
                panel->isStale_ = false;
                panel->present(std::move(results));
                if (isStale) panel->play();
            },
            Qt::QueuedConnection);
    });
}

void PlaygroundPanel::present(std::vector<PlaygroundResult> results) {
    results_ = std::move(results);
    std::vector<TimelineBoard::Entry> entries;
    for (std::size_t index = 0; index < results_.size(); ++index) {
        const PlaygroundResult& result = results_[index];
        if (result.model) entries.push_back({result.title, result.model});
        const bool isOwn = index < setup_.schedules.size() && setup_.schedules[index] == kOwnSchedule;
        if (isOwn) {
            QPalette verdict = ownVerdict_->palette();
            verdict.setColor(QPalette::WindowText, result.model ? Theme::current().fits : Theme::current().outOfMemory);
            ownVerdict_->setPalette(verdict);
            ownVerdict_->setText(result.model ? tr("Runs: %1").arg(result.note) : result.problem);
        }
        if (index >= rows_.size()) continue;
        QPalette palette = rows_[index].problem->palette();
        palette.setColor(QPalette::WindowText, Theme::current().tight);
        rows_[index].problem->setPalette(palette);
        rows_[index].problem->setText(isOwn ? QString() : result.problem);
        rows_[index].problem->setVisible(!isOwn && !result.problem.isEmpty());
    }
    QStringList names;
    for (const auto& entry : entries) names << entry.title;
    board_->setFigureTitle(tr("%1: %2 devices, %3 micro-batches")
                               .arg(names.join(QStringLiteral(", ")))
                               .arg(setup_.devices)
                               .arg(setup_.microBatches));
    board_->setEntries(std::move(entries));
    emit played();
}

void PlaygroundPanel::paintFigure(QPainter& painter, const QRectF& area) { board_->paintFigure(painter, area); }

}  // namespace trainyard
