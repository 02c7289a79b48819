<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en_US">
<context>
    <name>core</name>
    <message>
        <source>1F1B where the first ranks lend activations to the last ones, so that all hold about the same number.</source>
        <translation>1F1B, bei dem die ersten Ränge den letzten Aktivierungen leihen, sodass alle etwa gleich viele halten.</translation>
    </message>
    <message>
        <source>Two (or 2f) opposite pipelines over the same ranks fill each other's bubbles, for as many copies of the parameters.</source>
        <translation>Zwei (oder 2f) gegenläufige Pipelines über dieselben Ränge füllen einander die Blasen, für ebenso viele Kopien der Parameter.</translation>
    </message>
    <message>
        <source>Two opposite pipelines over the same ranks; forward and backward of different directions run as one cell, which hides expert traffic.</source>
        <translation>Zwei gegenläufige Pipelines über dieselben Ränge; Vorwärts- und Rückwärtslauf verschiedener Richtung laufen als eine Zelle, was Experten-Verkehr verdeckt.</translation>
    </message>
    <message>
        <source>DualPipe cut in half: two chunks per rank in a V, one copy of the parameters, overlapped cells.</source>
        <translation>DualPipe, halbiert: zwei Stücke je Rang im V, eine Kopie der Parameter, überlappte Zellen.</translation>
    </message>
    <message>
        <source>1F1B with nearly twice the warm-up, so that transfers between stages hide behind compute.</source>
        <translation>1F1B mit fast doppeltem Anlauf, sodass Übergaben zwischen Stufen sich hinter dem Rechnen verbergen.</translation>
    </message>
    <message>
        <source>Two mirrored copies of the model take micro-batches in turn, at most two in flight: for when memory is all that counts.</source>
        <translation>Zwei gespiegelte Kopien des Modells nehmen abwechselnd Mikrostapel, höchstens zwei unterwegs: wenn nur der Speicher zählt.</translation>
    </message>
    <message>
        <source>All forwards, then all backwards; every micro-batch is kept until its backward.</source>
        <translation>Erst alle Vorwärtsläufe, dann alle Rückwärtsläufe; jeder Mikrostapel bleibt bis zu seinem Rückwärtslauf.</translation>
    </message>
    <message>
        <source>Interleaved pipelining in smaller groups of micro-batches, for less activation memory at almost the same bubble.</source>
        <translation>Verschachtelte Pipeline in kleineren Gruppen von Mikrostapeln, für weniger Aktivierungen bei fast gleicher Blase.</translation>
    </message>
    <message>
        <source>Grouped interleaved pipelining, one micro-batch at a time, where the first chunks recompute right before their backward.</source>
        <translation>Gruppenweise verschachtelt, ein Mikrostapel nach dem anderen; die ersten Stücke rechnen kurz vor ihrem Rückwärtslauf neu.</translation>
    </message>
    <message>
        <source>Chunks run down and up the ranks in waves: the bubble of Chimera without a second copy of the parameters.</source>
        <translation>Stücke laufen in Wellen die Ränge hinab und hinauf: die Blase von Chimera ohne zweite Kopie der Parameter.</translation>
    </message>
    <message>
        <source>Each rank holds several chunks of the model, which shrinks the bubble by their number for more traffic between stages.</source>
        <translation>Jeder Rang hält mehrere Stücke des Modells; die Blase schrumpft um ihre Zahl, der Verkehr zwischen Stufen wächst.</translation>
    </message>
    <message>
        <source>Interleaved 1F1B with one more forward in flight, so that forward and backward run as one cell and hide expert traffic.</source>
        <translation>Verschachteltes 1F1B mit einem Vorwärtslauf mehr unterwegs, sodass Vorwärts- und Rückwärtslauf als eine Zelle laufen und Experten-Verkehr verdecken.</translation>
    </message>
    <message>
        <source>Interleaved 1F1B with torch's rule for the group, which also takes fewer micro-batches than ranks.</source>
        <translation>Verschachteltes 1F1B mit der Gruppenregel von torch, die auch weniger Mikrostapel als Ränge nimmt.</translation>
    </message>
    <message>
        <source>Interleaved 1F1B with the weight gradient split off and moved into the bubble.</source>
        <translation>Verschachteltes 1F1B mit abgetrenntem Gewichtsgradienten, der in die Blase rückt.</translation>
    </message>
    <message>
        <source>Layer after layer instead of micro-batch after micro-batch, layers dealt out over the ranks: each weight is gathered once per pass, reductions spread over the whole step.</source>
        <translation>Schicht für Schicht statt Mikrostapel für Mikrostapel, Schichten auf die Ränge verteilt: jedes Gewicht wird einmal je Lauf gesammelt, Summen verteilen sich über den ganzen Schritt.</translation>
    </message>
    <message>
        <source>Delayed gradients instead of a flush: a stage trains with a delay of twice the stages below it; old weights are kept or reconstructed.</source>
        <translation>Verzögerte Gradienten statt Leerlaufen: eine Stufe trainiert mit doppelt so viel Verzug, wie Stufen unter ihr sind; alte Gewichte bleiben oder werden wiederhergestellt.</translation>
    </message>
    <message>
        <source>Each block of stages trains with its own loss, so no gradient crosses the blocks and only the fill of the pipeline is idle.</source>
        <translation>Jeder Block von Stufen trainiert mit eigenem Verlust; kein Gradient quert die Blöcke, nur das Füllen der Pipeline ist leer.</translation>
    </message>
    <message>
        <source>All micro-batches pass one chunk before the next, so sharded weights are gathered once per chunk and pass.</source>
        <translation>Alle Mikrostapel gehen durch ein Stück vor dem nächsten; geteilte Gewichte werden einmal je Stück und Lauf gesammelt.</translation>
    </message>
    <message>
        <source>1F1B that keeps only stage inputs and recomputes in the idle time before each gradient arrives.</source>
        <translation>1F1B, das nur Stufeneingänge behält und in der Leerzeit vor jedem Gradienten neu rechnet.</translation>
    </message>
    <message>
        <source>One rank works at a time: each micro-batch passes through all ranks and back before the next one starts.</source>
        <translation>Immer nur ein Rang arbeitet: jeder Mikrostapel geht durch alle Ränge und zurück, bevor der nächste beginnt.</translation>
    </message>
    <message>
        <source>After a short warm-up every rank alternates one forward and one backward, so few micro-batches are kept.</source>
        <translation>Nach kurzem Anlauf wechselt jeder Rang zwischen Vorwärts- und Rückwärtslauf; wenige Mikrostapel bleiben.</translation>
    </message>
    <message>
        <source>One more forward in flight per rank, so that a forward and a backward of different micro-batches run as one cell and hide expert traffic.</source>
        <translation>Ein Vorwärtslauf mehr unterwegs je Rang, sodass Vorwärts- und Rückwärtslauf verschiedener Mikrostapel als eine Zelle laufen und Experten-Verkehr verdecken.</translation>
    </message>
    <message>
        <source>Two chunks per rank in a V without splitting the backward, at about two thirds of the activation memory of 1F1B.</source>
        <translation>Zwei Stücke je Rang im V ohne geteilten Rückwärtslauf, mit etwa zwei Dritteln der Aktivierungen von 1F1B.</translation>
    </message>
    <message>
        <source>Data parallel with iterations in flight: the all-reduce of one runs beside the compute of the next, which uses weights one update old.</source>
        <translation>Datenparallel mit Schritten unterwegs: das All-Reduce des einen läuft neben dem Rechnen des nächsten, das einen Schritt alte Gewichte nutzt.</translation>
    </message>
    <message>
        <source>Asynchronous 1F1B: an update after every backward, never flushed; rank r keeps p-r versions of its weights.</source>
        <translation>Asynchrones 1F1B: ein Optimiererschritt nach jedem Rückwärtslauf, nie leer; Rang r hält p-r Fassungen seiner Gewichte.</translation>
    </message>
    <message>
        <source>Asynchronous 1F1B with an update every few micro-batches and only two versions of the weights (delay 1).</source>
        <translation>Asynchrones 1F1B mit einem Optimiererschritt alle paar Mikrostapel und nur zwei Fassungen der Gewichte (Verzug 1).</translation>
    </message>
    <message>
        <source>1F1B over slices of the sequence: bubble and activations shrink with the number of slices.</source>
        <translation>1F1B über Abschnitte der Sequenz: Blase und Aktivierungen schrumpfen mit ihrer Zahl.</translation>
    </message>
    <message>
        <source>Interleaved 1F1B over slices of the sequence.</source>
        <translation>Verschachteltes 1F1B über Abschnitte der Sequenz.</translation>
    </message>
    <message>
        <source>Seq1F1B with the weight gradient split off and moved into the bubble. Our order; the paper shows a figure only.</source>
        <translation>Seq1F1B mit abgetrenntem Gewichtsgradienten in der Blase. Unsere Reihenfolge; die Arbeit zeigt nur ein Bild.</translation>
    </message>
    <message>
        <source>Many uniform slices per sequence, last in, first out: activations of about one micro-batch in all; attention context is exchanged to balance the slices.</source>
        <translation>Viele gleiche Abschnitte je Sequenz, zuletzt hinein, zuerst hinaus: Aktivierungen von insgesamt etwa einem Mikrostapel; Attention-Kontext wird getauscht, um die Abschnitte auszugleichen.</translation>
    </message>
    <message>
        <source>Seq1F1B whose slices leave for host memory until their backward is near; copies run beside compute on the host lane.</source>
        <translation>Seq1F1B, dessen Abschnitte bis kurz vor ihrem Rückwärtslauf im Hauptspeicher liegen; Kopien laufen neben dem Rechnen.</translation>
    </message>
    <message>
        <source>Slices of one sequence flow through the pipeline one after another, forward first, so the bubble shrinks with their number.</source>
        <translation>Abschnitte einer Sequenz fließen nacheinander durch die Pipeline, vorwärts zuerst; die Blase schrumpft mit ihrer Zahl.</translation>
    </message>
    <message>
        <source>Replicas of different pipeline length side by side, each with its share of the micro-batches.</source>
        <translation>Repliken verschiedener Pipelinelänge nebeneinander, jede mit ihrem Anteil der Mikrostapel.</translation>
    </message>
    <message>
        <source>Two chunks per rank in a V at about half the activation memory of 1F1B.</source>
        <translation>Zwei Stücke je Rang im V mit etwa der Hälfte der Aktivierungen von 1F1B.</translation>
    </message>
    <message>
        <source>Two chunks per rank in a V at about a third of the activation memory of 1F1B.</source>
        <translation>Zwei Stücke je Rang im V mit etwa einem Drittel der Aktivierungen von 1F1B.</translation>
    </message>
    <message>
        <source>A greedy search for a schedule without bubbles under a memory limit, with the real times of each stage.</source>
        <translation>Eine gierige Suche nach einem Ablauf ohne Blasen unter einer Speichergrenze, mit den wahren Zeiten jeder Stufe.</translation>
    </message>
    <message>
        <source>1F1B with the weight gradient split off and moved into the bubble, at the memory of 1F1B.</source>
        <translation>1F1B mit abgetrenntem Gewichtsgradienten in der Blase, mit dem Speicher von 1F1B.</translation>
    </message>
    <message>
        <source>ZB-H1 that splits only the backwards whose weight gradient fills the bubble; the steady state stays as in 1F1B.</source>
        <translation>ZB-H1, das nur die Rückwärtsläufe teilt, deren Gewichtsgradient die Blase füllt; der Dauerlauf bleibt wie bei 1F1B.</translation>
    </message>
    <message>
        <source>Zero bubble between a rank's first and last action, for twice the activations of 1F1B.</source>
        <translation>Keine Blase zwischen erster und letzter Aktion eines Rangs, für doppelte Aktivierungen von 1F1B.</translation>
    </message>
    <message>
        <source>Two chunks per rank in a V: zero bubble at the activation memory of 1F1B, the same on every rank.</source>
        <translation>Zwei Stücke je Rang im V: keine Blase mit den Aktivierungen von 1F1B, auf jedem Rang gleich.</translation>
    </message>
    <message>
        <source>Eager 1F1B</source>
        <translation>Eifriges 1F1B</translation>
    </message>
    <message>
        <source>Grouped interleaved</source>
        <translation>Gruppenweise verschachtelt</translation>
    </message>
    <message>
        <source>Grouped interleaved with recompute</source>
        <translation>Gruppenweise verschachtelt, neu rechnend</translation>
    </message>
    <message>
        <source>Interleaved 1F1B</source>
        <translation>Verschachteltes 1F1B</translation>
    </message>
    <message>
        <source>Interleaved 1F1B with overlapped cells</source>
        <translation>Verschachteltes 1F1B, überlappte Zellen</translation>
    </message>
    <message>
        <source>Interleaved 1F1B (torch)</source>
        <translation>Verschachteltes 1F1B (torch)</translation>
    </message>
    <message>
        <source>Interleaved zero bubble</source>
        <translation>Verschachtelt ohne Blase</translation>
    </message>
    <message>
        <source>Layered accumulation, modular placement</source>
        <translation>Schichtweises Aufsummieren, modular</translation>
    </message>
    <message>
        <source>Local updates</source>
        <translation>Lokale Aktualisierung</translation>
    </message>
    <message>
        <source>Breadth-first</source>
        <translation>Breite zuerst</translation>
    </message>
    <message>
        <source>Recompute in bubbles (Mario)</source>
        <translation>In Blasen neu rechnen (Mario)</translation>
    </message>
    <message>
        <source>Naive model parallelism</source>
        <translation>Naive Modell-Parallelität</translation>
    </message>
    <message>
        <source>1F1B with overlapped cells</source>
        <translation>1F1B mit überlappten Zellen</translation>
    </message>
    <message>
        <source>Seq1F1B, interleaved</source>
        <translation>Seq1F1B, verschachtelt</translation>
    </message>
    <message>
        <source>Seq1F1B, zero bubble</source>
        <translation>Seq1F1B ohne Blase</translation>
    </message>
    <message>
        <source>Slice offload (SPPO style)</source>
        <translation>Abschnitte auslagern (nach SPPO)</translation>
    </message>
    <message>
        <source>Uneven replicas</source>
        <translation>Ungleiche Repliken</translation>
    </message>
    <message>
        <source>Automatic zero bubble</source>
        <translation>Ohne Blase, automatisch</translation>
    </message>
    <message>
        <source>ZB-H1, quick start</source>
        <translation>ZB-H1, schneller Start</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>activations between stages</source>
        <translation>Aktivierungen zwischen Stufen</translation>
    </message>
    <message>
        <source>attention core</source>
        <translation>Inneres der Attention</translation>
    </message>
    <message>
        <source>backward for inputs</source>
        <translation>rückwärts für Eingänge</translation>
    </message>
    <message>
        <source>backward for weights</source>
        <translation>rückwärts für Gewichte</translation>
    </message>
    <message>
        <source>blocks held but not in use</source>
        <translation>Blöcke, gehalten, aber nicht benutzt</translation>
    </message>
    <message>
        <source>blocks held from the other phase of the step</source>
        <translation>Blöcke aus der anderen Phase des Schritts</translation>
    </message>
    <message>
        <source>blocks the allocator holds</source>
        <translation>Blöcke, die der Verwalter hält</translation>
    </message>
    <message>
        <source>buffers of gradient reduction</source>
        <translation>Puffer der Gradientensumme</translation>
    </message>
    <message>
        <source>bytes per parameter</source>
        <translation>Byte je Parameter</translation>
    </message>
    <message>
        <source>bytes sent per call</source>
        <translation>gesendete Byte je Aufruf</translation>
    </message>
    <message>
        <source>calls per step</source>
        <translation>Aufrufe je Schritt</translation>
    </message>
    <message>
        <source>cast copies of the weights</source>
        <translation>umgewandelte Kopien der Gewichte</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>communication library</source>
        <translation>Kommunikationsbibliothek</translation>
    </message>
    <message>
        <source>compute, mean over the devices</source>
        <translation>Rechnen, Mittel über die Geräte</translation>
    </message>
    <message>
        <source>context-parallel traffic that is not hidden</source>
        <translation>Kontext-Verkehr, der nicht verdeckt ist</translation>
    </message>
    <message>
        <source>copies that do not fit under compute</source>
        <translation>Kopien, die nicht unter das Rechnen passen</translation>
    </message>
    <message>
        <source>cost of a billion tokens</source>
        <translation>Kosten einer Milliarde Token</translation>
    </message>
    <message>
        <source>cost of the cluster per hour</source>
        <translation>Kosten des Clusters je Stunde</translation>
    </message>
    <message>
        <source>cost of the run</source>
        <translation>Kosten des Laufs</translation>
    </message>
    <message>
        <source>dense parameters of this device</source>
        <translation>dichte Parameter dieses Geräts</translation>
    </message>
    <message>
        <source>dense peak of all devices</source>
        <translation>dichte Spitzenleistung aller Geräte</translation>
    </message>
    <message>
        <source>device context</source>
        <translation>Kontext des Geräts</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>devices (input)</source>
        <translation>Geräte (Eingabe)</translation>
    </message>
    <message>
        <source>devices that share them</source>
        <translation>Geräte, die sie teilen</translation>
    </message>
    <message>
        <source>energy of the run, accelerators only</source>
        <translation>Energie des Laufs, nur Beschleuniger</translation>
    </message>
    <message>
        <source>energy per token, accelerators only</source>
        <translation>Energie je Token, nur Beschleuniger</translation>
    </message>
    <message>
        <source>expert parameters of this device</source>
        <translation>Experten-Parameter dieses Geräts</translation>
    </message>
    <message>
        <source>expert traffic that is not hidden</source>
        <translation>Experten-Verkehr, der nicht verdeckt ist</translation>
    </message>
    <message>
        <source>exposed copies to and from the host</source>
        <translation>offene Kopien zum und vom Hauptspeicher</translation>
    </message>
    <message>
        <source>exposed time of the group</source>
        <translation>offene Zeit der Gruppe</translation>
    </message>
    <message>
        <source>feed-forward norm</source>
        <translation>Norm des Vorwärtsteils</translation>
    </message>
    <message>
        <source>final norm</source>
        <translation>letzte Norm</translation>
    </message>
    <message>
        <source>final norm and head</source>
        <translation>letzte Norm und Kopf</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>fp%1 master weights</source>
        <translation>fp%1-Hauptgewichte</translation>
    </message>
    <message>
        <source>framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>gathered weights</source>
        <translation>gesammelte Gewichte</translation>
    </message>
    <message>
        <source>gradient reduction and parameter gathers that are not hidden</source>
        <translation>Gradientensummen und Sammeln, die nicht verdeckt sind</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>gradients and buffers of one layer's backward</source>
        <translation>Gradienten und Puffer eines Rückwärtslaufs einer Schicht</translation>
    </message>
    <message>
        <source>hand-over between stages that is not hidden</source>
        <translation>Übergabe zwischen Stufen, die nicht verdeckt ist</translation>
    </message>
    <message>
        <source>hardware FLOPs of one step, all devices</source>
        <translation>Hardware-FLOP eines Schritts, alle Geräte</translation>
    </message>
    <message>
        <source>hardware FLOPs utilisation: recomputation counted</source>
        <translation>Nutzung der Hardware-FLOP: Neuberechnung zählt mit</translation>
    </message>
    <message>
        <source>hardware TFLOP/s per device</source>
        <translation>Hardware-TFLOP/s je Gerät</translation>
    </message>
    <message>
        <source>idle time that is left when all traffic is free, mean over the devices</source>
        <translation>Leerzeit, die bleibt, wenn aller Verkehr umsonst ist, Mittel über die Geräte</translation>
    </message>
    <message>
        <source>input embedding</source>
        <translation>Eingangseinbettung</translation>
    </message>
    <message>
        <source>input norm</source>
        <translation>Eingangsnorm</translation>
    </message>
    <message>
        <source>kept for backward, all micro-batches in flight</source>
        <translation>für den Rückwärtslauf behalten, alle Mikrostapel unterwegs</translation>
    </message>
    <message>
        <source>largest memory held by the allocator</source>
        <translation>größter vom Verwalter gehaltener Speicher</translation>
    </message>
    <message>
        <source>largest peak of a device, what nvidia-smi shows</source>
        <translation>größte Spitze eines Geräts, was nvidia-smi zeigt</translation>
    </message>
    <message>
        <source>largest sum of live tensors</source>
        <translation>größte Summe lebender Tensoren</translation>
    </message>
    <message>
        <source>live tensors of stage %1</source>
        <translation>lebende Tensoren von Stufe %1</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>logits, their fp%1 copy and the softmax</source>
        <translation>Logits, ihre fp%1-Kopie und der Softmax</translation>
    </message>
    <message>
        <source>matrix products</source>
        <translation>Matrixprodukte</translation>
    </message>
    <message>
        <source>mean power of an accelerator</source>
        <translation>mittlere Leistung eines Beschleunigers</translation>
    </message>
    <message>
        <source>memory that the allocator holds on stage %1</source>
        <translation>Speicher, den der Verwalter auf Stufe %1 hält</translation>
    </message>
    <message>
        <source>memory-bound operators</source>
        <translation>speichergebundene Operatoren</translation>
    </message>
    <message>
        <source>micro-batches in flight</source>
        <translation>Mikrostapel unterwegs</translation>
    </message>
    <message>
        <source>micro-batches in flight on this rank's whole share of layers</source>
        <translation>Mikrostapel unterwegs auf allen Schichten dieses Rangs</translation>
    </message>
    <message>
        <source>micro-batches per step and replica</source>
        <translation>Mikrostapel je Schritt und Replik</translation>
    </message>
    <message>
        <source>model FLOPs of one step, all devices</source>
        <translation>Modell-FLOP eines Schritts, alle Geräte</translation>
    </message>
    <message>
        <source>model FLOPs utilisation: recomputation not counted</source>
        <translation>Nutzung der Modell-FLOP: Neuberechnung zählt nicht</translation>
    </message>
    <message>
        <source>model TFLOP/s per device</source>
        <translation>Modell-TFLOP/s je Gerät</translation>
    </message>
    <message>
        <source>nothing of this kind</source>
        <translation>nichts davon</translation>
    </message>
    <message>
        <source>number of such layers (input)</source>
        <translation>Zahl solcher Schichten (Eingabe)</translation>
    </message>
    <message>
        <source>one dense layer</source>
        <translation>eine dichte Schicht</translation>
    </message>
    <message>
        <source>one layer</source>
        <translation>eine Schicht</translation>
    </message>
    <message>
        <source>one mixture-of-experts layer</source>
        <translation>eine Schicht mit Experten</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>optimizer moments</source>
        <translation>Momente des Optimierers</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>Optimiererschritt</translation>
    </message>
    <message>
        <source>optimizer step of pipeline rank %1</source>
        <translation>Optimiererschritt von Pipeline-Rang %1</translation>
    </message>
    <message>
        <source>optimizer step, mean over the devices</source>
        <translation>Optimiererschritt, Mittel über die Geräte</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>parameters of embedding and untied head</source>
        <translation>Parameter von Einbettung und ungebundenem Kopf</translation>
    </message>
    <message>
        <source>parameters of the model</source>
        <translation>Parameter des Modells</translation>
    </message>
    <message>
        <source>parameters that one token uses</source>
        <translation>Parameter, die ein Token nutzt</translation>
    </message>
    <message>
        <source>peak of the first optimizer step</source>
        <translation>Spitze des ersten Optimiererschritts</translation>
    </message>
    <message>
        <source>peak of the fullest device of stage %1, as the driver shows it</source>
        <translation>Spitze des vollsten Geräts von Stufe %1, wie der Treiber sie zeigt</translation>
    </message>
    <message>
        <source>peak while the weights are loaded</source>
        <translation>Spitze beim Laden der Gewichte</translation>
    </message>
    <message>
        <source>pipeline parallel (input)</source>
        <translation>Pipeline-Grad (Eingabe)</translation>
    </message>
    <message>
        <source>pipeline span: the critical path from the first start to the last end</source>
        <translation>Spanne der Pipeline: der kritische Pfad vom ersten Anfang bis zum letzten Ende</translation>
    </message>
    <message>
        <source>position embedding</source>
        <translation>Positionseinbettung</translation>
    </message>
    <message>
        <source>power of all accelerators</source>
        <translation>Leistung aller Beschleuniger</translation>
    </message>
    <message>
        <source>recomputation</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>recomputed layer</source>
        <translation>neu berechnete Schicht</translation>
    </message>
    <message>
        <source>saved from forward to backward, one micro-batch</source>
        <translation>von vorwärts bis rückwärts behalten, ein Mikrostapel</translation>
    </message>
    <message>
        <source>sequences per step (input)</source>
        <translation>Sequenzen je Schritt (Eingabe)</translation>
    </message>
    <message>
        <source>share by which the slowest of many devices is late</source>
        <translation>Anteil, um den das langsamste von vielen Geräten zurückliegt</translation>
    </message>
    <message>
        <source>share of TDP while communicating</source>
        <translation>Anteil der Leistungsgrenze beim Kommunizieren</translation>
    </message>
    <message>
        <source>share of TDP while computing</source>
        <translation>Anteil der Leistungsgrenze beim Rechnen</translation>
    </message>
    <message>
        <source>share of TDP while waiting</source>
        <translation>Anteil der Leistungsgrenze beim Warten</translation>
    </message>
    <message>
        <source>share of device time that is idle inside the pipeline span</source>
        <translation>Anteil der Gerätezeit, der in der Spanne leer ist</translation>
    </message>
    <message>
        <source>share of the step in exposed traffic</source>
        <translation>Anteil des Schritts in offenem Verkehr</translation>
    </message>
    <message>
        <source>share of the step that computes</source>
        <translation>Anteil des Schritts, der rechnet</translation>
    </message>
    <message>
        <source>slow-down by traffic that runs beside</source>
        <translation>Bremsung durch Verkehr, der nebenher läuft</translation>
    </message>
    <message>
        <source>stage whose share of its capacity is largest</source>
        <translation>Stufe, die ihre Kapazität am meisten füllt</translation>
    </message>
    <message>
        <source>step before this traffic is free</source>
        <translation>Schritt, bevor dieser Verkehr umsonst ist</translation>
    </message>
    <message>
        <source>step with all traffic free</source>
        <translation>Schritt, wenn aller Verkehr umsonst ist</translation>
    </message>
    <message>
        <source>step with it free</source>
        <translation>Schritt, wenn er umsonst ist</translation>
    </message>
    <message>
        <source>steps of the run</source>
        <translation>Schritte des Laufs</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>Zwischenspeicher</translation>
    </message>
    <message>
        <source>tensor-parallel traffic that is not hidden</source>
        <translation>Tensor-Verkehr, der nicht verdeckt ist</translation>
    </message>
    <message>
        <source>time inside actions, mean over the devices</source>
        <translation>Zeit in Aktionen, Mittel über die Geräte</translation>
    </message>
    <message>
        <source>time of all collectives of the group</source>
        <translation>Zeit aller Sammeloperationen der Gruppe</translation>
    </message>
    <message>
        <source>time of one call</source>
        <translation>Zeit eines Aufrufs</translation>
    </message>
    <message>
        <source>time of one step</source>
        <translation>Zeit eines Schritts</translation>
    </message>
    <message>
        <source>time of the run</source>
        <translation>Zeit des Laufs</translation>
    </message>
    <message>
        <source>time of this collective</source>
        <translation>Zeit dieser Sammeloperation</translation>
    </message>
    <message>
        <source>token copies between experts</source>
        <translation>Kopien von Token zwischen Experten</translation>
    </message>
    <message>
        <source>token embedding</source>
        <translation>Tokeneinbettung</translation>
    </message>
    <message>
        <source>tokens of the run</source>
        <translation>Token des Laufs</translation>
    </message>
    <message>
        <source>tokens of the run (input)</source>
        <translation>Token des Laufs (Eingabe)</translation>
    </message>
    <message>
        <source>tokens per second</source>
        <translation>Token pro Sekunde</translation>
    </message>
    <message>
        <source>tokens per second and device</source>
        <translation>Token pro Sekunde und Gerät</translation>
    </message>
    <message>
        <source>tokens per sequence (input)</source>
        <translation>Token je Sequenz (Eingabe)</translation>
    </message>
    <message>
        <source>transfers on the critical path</source>
        <translation>Übergaben auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>usable memory of the accelerator: what the driver shows, not the label</source>
        <translation>nutzbarer Speicher des Beschleunigers: was der Treiber zeigt, nicht das Etikett</translation>
    </message>
    <message>
        <source>usable memory of the fullest stage's accelerator</source>
        <translation>nutzbarer Speicher des Beschleunigers der vollsten Stufe</translation>
    </message>
    <message>
        <source>waiting for kernel launches</source>
        <translation>Warten auf Kernelstarts</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>workspaces of kernels</source>
        <translation>Arbeitsspeicher der Kernel</translation>
    </message>
    <message>
        <source>%1 x forward of stage %2 on the critical path</source>
        <translation>%1 x vorwärts von Stufe %2 auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>%1 x backward of stage %2 on the critical path</source>
        <translation>%1 x rückwärts von Stufe %2 auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>FLOPs of stage %1, one micro-batch, one device, forward and backward</source>
        <translation>FLOP von Stufe %1, ein Mikrostapel, ein Gerät, vorwärts und rückwärts</translation>
    </message>
    <message>
        <source>FLOPs of stage %1, one micro-batch, one device, forward and backward, recomputation included</source>
        <translation>FLOP von Stufe %1, ein Mikrostapel, ein Gerät, vorwärts und rückwärts, mit Neuberechnung</translation>
    </message>
    <message>
        <source>compute of stage %1 (%2 layers) for one micro-batch</source>
        <translation>Rechnen von Stufe %1 (%2 Schichten) für einen Mikrostapel</translation>
    </message>
    <message>
        <source>peak FLOP/s of the accelerators</source>
        <translation>Spitzenleistung der Beschleuniger</translation>
    </message>
    <message>
        <source>memory bandwidth of the accelerators</source>
        <translation>Speicherbandbreite der Beschleuniger</translation>
    </message>
    <message>
        <source>usable memory of the accelerators</source>
        <translation>nutzbarer Speicher der Beschleuniger</translation>
    </message>
    <message>
        <source>host link of the accelerators</source>
        <translation>Verbindung der Beschleuniger zum Hauptspeicher</translation>
    </message>
    <message>
        <source>power limit of the accelerators</source>
        <translation>Leistungsgrenze der Beschleuniger</translation>
    </message>
    <message>
        <source>price of the accelerators</source>
        <translation>Preis der Beschleuniger</translation>
    </message>
    <message>
        <source>bandwidth inside nodes</source>
        <translation>Bandbreite in Knoten</translation>
    </message>
    <message>
        <source>bandwidth between nodes</source>
        <translation>Bandbreite zwischen Knoten</translation>
    </message>
    <message>
        <source>latency between nodes</source>
        <translation>Latenz zwischen Knoten</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>Gesamtstapel</translation>
    </message>
    <message>
        <source>sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>tensor parallel</source>
        <translation>Tensor-Grad</translation>
    </message>
    <message>
        <source>pipeline parallel</source>
        <translation>Pipeline-Grad</translation>
    </message>
    <message>
        <source>context parallel</source>
        <translation>Kontext-Grad</translation>
    </message>
    <message>
        <source>data parallel</source>
        <translation>Daten-Grad</translation>
    </message>
    <message>
        <source>expert parallel</source>
        <translation>Experten-Grad</translation>
    </message>
    <message>
        <source>virtual stages</source>
        <translation>virtuelle Stufen</translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation>Mikrostapel</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO-Stufe</translation>
    </message>
    <message>
        <source>sequence parallel</source>
        <translation>Sequenz-Parallelität</translation>
    </message>
    <message>
        <source>activations offloaded</source>
        <translation>ausgelagerte Aktivierungen</translation>
    </message>
    <message>
        <source>optimizer offloaded</source>
        <translation>ausgelagerter Optimierer</translation>
    </message>
    <message>
        <source>No list: each rank takes what is ready, gradients first, weight gradients in the gaps, under a limit of micro-batches.</source>
        <translation>Jeder Rang beginnt, was bereit ist, nach einer gierigen Regel zur Laufzeit.</translation>
    </message>
</context>
</TS>
