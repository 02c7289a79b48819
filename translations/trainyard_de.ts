<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en_US">
<context>
    <name>FigureCaption</name>
    <message>
        <source>%1 on %2 devices: tensor %3 × pipeline %4 × context %5 × data %6, schedule %7</source>
        <translation>%1 auf %2 Geräten: Tensor %3 × Pipeline %4 × Kontext %5 × Daten %6, Ablauf %7</translation>
    </message>
    <message>
        <source>; step %1, memory %2 of %3, MFU %4</source>
        <translation>; Schritt %1, Speicher %2 von %3, MFU %4</translation>
    </message>
</context>
<context>
    <name>FigureExport</name>
    <message>
        <source>A picture may be at most %1 pixels wide and high.</source>
        <translation>Ein Bild darf höchstens %1 Pixel breit und hoch sein.</translation>
    </message>
    <message>
        <source>The picture is too large for the memory of this machine.</source>
        <translation>Das Bild ist zu groß für den Speicher dieses Rechners.</translation>
    </message>
    <message>
        <source>%1: the file name must end in .png, .svg or .pdf.</source>
        <translation>%1: der Dateiname muss auf .png, .svg oder .pdf enden.</translation>
    </message>
    <message>
        <source>%1: cannot be written: %2.</source>
        <translation>%1: lässt sich nicht schreiben: %2.</translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>Pictures (*.svg *.png *.pdf)</source>
        <translation>Bilder (*.svg *.png *.pdf)</translation>
    </message>
</context>
<context>
    <name>HoverCard</name>
    <message>
        <source>tensor group of %1</source>
        <translation>Tensor-Gruppe von %1</translation>
    </message>
    <message>
        <source>context group of %1</source>
        <translation>Kontext-Gruppe von %1</translation>
    </message>
    <message>
        <source>data group of %1</source>
        <translation>Daten-Gruppe von %1</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Multiply</source>
        <translation>Vervielfachen</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 in flight</source>
        <translation>%1 unterwegs</translation>
    </message>
    <message>
        <source>peak %1 in flight</source>
        <translation>Spitze %1 unterwegs</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>%1 × %2 left out</source>
        <translation>%1 × %2 ausgelassen</translation>
    </message>
</context>
<context>
    <name>report</name>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Memory per stage</source>
        <translation>Speicher je Stufe</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
</context>
<context>
    <name>trainyard</name>
    <message>
        <source>no devices yet</source>
        <translation>noch keine Geräte</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>PCIe through host</source>
        <translation>PCIe über den Host</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>%1 usable · not used by the plan</source>
        <translation>%1 nutzbar · vom Plan nicht genutzt</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1: does not fit</source>
        <translation>%1: passt nicht</translation>
    </message>
    <message>
        <source>sends per step: %1</source>
        <translation>sendet je Schritt: %1</translation>
    </message>
    <message>
        <source>%1 to %2 · latency %3</source>
        <translation>%1 zu %2 · Latenz %3</translation>
    </message>
    <message>
        <source>unplugged</source>
        <translation>gezogen</translation>
    </message>
    <message>
        <source>%1 per step · %2 used</source>
        <translation>%1 je Schritt · %2 genutzt</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>Blase</translation>
    </message>
    <message>
        <source>Exposed tensor traffic</source>
        <translation>Offener Tensor-Verkehr</translation>
    </message>
    <message>
        <source>Exposed pipeline traffic</source>
        <translation>Offener Pipeline-Verkehr</translation>
    </message>
    <message>
        <source>Exposed context traffic</source>
        <translation>Offener Kontext-Verkehr</translation>
    </message>
    <message>
        <source>Exposed expert traffic</source>
        <translation>Offener Experten-Verkehr</translation>
    </message>
    <message>
        <source>Exposed data traffic</source>
        <translation>Offener Daten-Verkehr</translation>
    </message>
    <message>
        <source>Optimizer step</source>
        <translation>Optimiererschritt</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Token pro Sekunde</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>HFU</source>
        <translation>HFU</translation>
    </message>
    <message>
        <source>Energy per token</source>
        <translation>Energie je Token</translation>
    </message>
    <message>
        <source>Cost per billion tokens</source>
        <translation>Kosten je Milliarde Token</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>FP32</source>
        <translation>FP32</translation>
    </message>
    <message>
        <source>TF32</source>
        <translation>TF32</translation>
    </message>
    <message>
        <source>FP32 storage, TF32 matrix products</source>
        <translation>In FP32 gehalten, Matrixprodukte in TF32</translation>
    </message>
    <message>
        <source>FP16 mixed</source>
        <translation>FP16 gemischt</translation>
    </message>
    <message>
        <source>FP16 with FP32 master weights and loss scaling</source>
        <translation>FP16 mit FP32-Hauptgewichten und Verlustskalierung</translation>
    </message>
    <message>
        <source>BF16 mixed</source>
        <translation>BF16 gemischt</translation>
    </message>
    <message>
        <source>BF16 with FP32 master weights</source>
        <translation>BF16 mit FP32-Hauptgewichten</translation>
    </message>
    <message>
        <source>FP8</source>
        <translation>FP8</translation>
    </message>
    <message>
        <source>BF16 storage, FP8 matrix products</source>
        <translation>In BF16 gehalten, Matrixprodukte in FP8</translation>
    </message>
    <message>
        <source>MXFP8</source>
        <translation>MXFP8</translation>
    </message>
    <message>
        <source>BF16 storage, block-scaled FP8 matrix products</source>
        <translation>In BF16 gehalten, Matrixprodukte in blockskaliertem FP8</translation>
    </message>
    <message>
        <source>NVFP4</source>
        <translation>NVFP4</translation>
    </message>
    <message>
        <source>BF16 storage, block-scaled FP4 matrix products</source>
        <translation>In BF16 gehalten, Matrixprodukte in blockskaliertem FP4</translation>
    </message>
    <message>
        <source>Gradients in</source>
        <translation>Gradienten in</translation>
    </message>
    <message>
        <source>Framework default</source>
        <translation>Standard des Frameworks</translation>
    </message>
    <message>
        <source>BF16</source>
        <translation>BF16</translation>
    </message>
    <message>
        <source>FP16</source>
        <translation>FP16</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Attention kernel</source>
        <translation>Attention-Kernel</translation>
    </message>
    <message>
        <source>Unfused</source>
        <translation>Ungefasst</translation>
    </message>
    <message>
        <source>Scores are written to memory</source>
        <translation>Werte werden in den Speicher geschrieben</translation>
    </message>
    <message>
        <source>FlashAttention</source>
        <translation>FlashAttention</translation>
    </message>
    <message>
        <source>FlashAttention 2</source>
        <translation>FlashAttention 2</translation>
    </message>
    <message>
        <source>FlashAttention 3</source>
        <translation>FlashAttention 3</translation>
    </message>
    <message>
        <source>Also cuDNN attention on Hopper and later</source>
        <translation>Auch Attention von cuDNN ab Hopper</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>Zwischenspeicher</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>%1 chunks</source>
        <translation>%1 Stücke</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 Abschnitte</translation>
    </message>
    <message>
        <source>stale weights</source>
        <translation>veraltete Gewichte</translation>
    </message>
    <message>
        <source>local losses</source>
        <translation>lokale Verluste</translation>
    </message>
    <message>
        <source>There is no schedule of this name.</source>
        <translation>Es gibt keinen Ablauf dieses Namens.</translation>
    </message>
    <message>
        <source>Device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>Idle for %1 before it</source>
        <translation>Leer für %1 davor</translation>
    </message>
    <message>
        <source>Starts with the step; waits for nothing</source>
        <translation>Beginnt mit dem Schritt; wartet auf nichts</translation>
    </message>
    <message>
        <source>Starts as soon as its device is free, after %1</source>
        <translation>Beginnt, sobald das Gerät frei ist, nach %1</translation>
    </message>
    <message>
        <source>Starts at once after %1</source>
        <translation>Beginnt sofort nach %1</translation>
    </message>
    <message>
        <source>Device idle for %1: waits for %2</source>
        <translation>Gerät leer für %1: wartet auf %2</translation>
    </message>
    <message>
        <source>, then %1 on the way</source>
        <translation>, dann %1 unterwegs</translation>
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation>Mikrostapel %1</translation>
    </message>
    <message>
        <source>slice %1</source>
        <translation>Abschnitt %1</translation>
    </message>
    <message>
        <source>model chunk %1</source>
        <translation>Modellstück %1</translation>
    </message>
    <message>
        <source>opposite pipe</source>
        <translation>gegenläufige Pipeline</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1, von %2 bis %3</translation>
    </message>
    <message>
        <source>1 micro-batch in flight here</source>
        <translation>1 Mikrostapel hier unterwegs</translation>
    </message>
    <message>
        <source>%1 micro-batches in flight here</source>
        <translation>%1 Mikrostapel hier unterwegs</translation>
    </message>
    <message>
        <source>%1 of activations</source>
        <translation>%1 Aktivierungen</translation>
    </message>
    <message>
        <source>Weights of version %1</source>
        <translation>Gewichte der Fassung %1</translation>
    </message>
    <message>
        <source>One of %1 actions drawn together; zoom in to tell them apart</source>
        <translation>Eine von %1 zusammen gezeichneten Aktionen; vergrößern, um sie zu trennen</translation>
    </message>
    <message>
        <source>Idle for %1</source>
        <translation>Leer für %1</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 auf %2</translation>
    </message>
    <message>
        <source>Nothing left to do in this step</source>
        <translation>In diesem Schritt nichts mehr zu tun</translation>
    </message>
    <message>
        <source>Next is %1; it waits for %2</source>
        <translation>Als Nächstes %1; wartet auf %2</translation>
    </message>
    <message>
        <source>of which %1 on the way between devices</source>
        <translation>davon %1 unterwegs zwischen Geräten</translation>
    </message>
    <message>
        <source>%1 marked</source>
        <translation>%1 markiert</translation>
    </message>
    <message>
        <source>busy %1</source>
        <translation>belegt %1</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>leer %1</translation>
    </message>
    <message>
        <source>1 action</source>
        <translation>1 Aktion</translation>
    </message>
    <message>
        <source>%1 actions</source>
        <translation>%1 Aktionen</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward, input</source>
        <translation>Rückwärts, Eingang</translation>
    </message>
    <message>
        <source>Weight gradient</source>
        <translation>Gewichtsgradient</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>All-gather</source>
        <translation>All-Gather</translation>
    </message>
    <message>
        <source>Reduce-scatter</source>
        <translation>Reduce-Scatter</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>All-Reduce</translation>
    </message>
    <message>
        <source>Evict activations</source>
        <translation>Aktivierungen verdrängen</translation>
    </message>
    <message>
        <source>Load activations back</source>
        <translation>Aktivierungen zurückladen</translation>
    </message>
    <message>
        <source>Copy to host</source>
        <translation>Kopie zum Host</translation>
    </message>
    <message>
        <source>Copy from host</source>
        <translation>Kopie vom Host</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Receive</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>Barrier</source>
        <translation>Barriere</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>host copies</source>
        <translation>Kopien zum Host</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>backward (whole or input)</source>
        <translation>rückwärts (ganz oder Eingang)</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>backward input</source>
        <translation>rückwärts, Eingang</translation>
    </message>
    <message>
        <source>weight gradient</source>
        <translation>Gewichtsgradient</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>fwd</source>
        <translation>vorw.</translation>
    </message>
    <message>
        <source>bwd</source>
        <translation>rückw.</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gew.</translation>
    </message>
    <message>
        <source>recomp.</source>
        <translation>Neub.</translation>
    </message>
    <message>
        <source>comm.</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>opt.</source>
        <translation>Opt.</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>activations held</source>
        <translation>gehaltene Aktivierungen</translation>
    </message>
    <message>
        <source>held</source>
        <translation>gehalten</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>Starts a new scenario; unsaved work is kept and offered again</source>
        <translation>Beginnt ein neues Szenario; ungesicherte Arbeit bleibt und wird wieder angeboten</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Opens a scenario file; files can also be dropped on the window</source>
        <translation>Öffnet eine Szenariodatei; Dateien lassen sich auch auf dem Fenster ablegen</translation>
    </message>
    <message>
        <source>Open &amp;example</source>
        <translation>&amp;Beispiel öffnen</translation>
    </message>
    <message>
        <source>Scenarios that ship with the program</source>
        <translation>Szenarien, die mit dem Programm kommen</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Files opened last</source>
        <translation>Zuletzt geöffnete Dateien</translation>
    </message>
    <message>
        <source>Open model con&amp;fig…</source>
        <translation>Modellkon&amp;figuration öffnen…</translation>
    </message>
    <message>
        <source>Takes the model from a Hugging Face config.json</source>
        <translation>Nimmt das Modell aus einer config.json von Hugging Face</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Sichern</translation>
    </message>
    <message>
        <source>Saves to the file of the scenario</source>
        <translation>Sichert in die Datei des Szenarios</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Sichern &amp;unter…</translation>
    </message>
    <message>
        <source>Saves under another name</source>
        <translation>Sichert unter anderem Namen</translation>
    </message>
    <message>
        <source>&amp;Export view as picture…</source>
        <translation>Ansicht als Bild &amp;exportieren…</translation>
    </message>
    <message>
        <source>PNG, SVG or PDF of the view in use</source>
        <translation>PNG, SVG oder PDF der benutzten Ansicht</translation>
    </message>
    <message>
        <source>Export &amp;window as picture…</source>
        <translation>Fenster als Bild e&amp;xportieren…</translation>
    </message>
    <message>
        <source>PNG, SVG or PDF of the whole window</source>
        <translation>PNG, SVG oder PDF des ganzen Fensters</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Closes the scenario; unsaved work is kept and offered again</source>
        <translation>Schließt das Szenario; ungesicherte Arbeit bleibt und wird wieder angeboten</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Ends the program; unsaved work is kept and offered again</source>
        <translation>Beendet das Programm; ungesicherte Arbeit bleibt und wird wieder angeboten</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Takes back the last gesture</source>
        <translation>Nimmt die letzte Handlung zurück</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Does it again</source>
        <translation>Tut sie wieder</translation>
    </message>
    <message>
        <source>&amp;Copy view as picture</source>
        <translation>Ansicht als Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Puts the view in use on the clipboard</source>
        <translation>Legt die benutzte Ansicht in die Zwischenablage</translation>
    </message>
    <message>
        <source>Copy &amp;figures as table</source>
        <translation>&amp;Zahlen als Tabelle kopieren</translation>
    </message>
    <message>
        <source>Puts the figures of the plan on the clipboard, one a line</source>
        <translation>Legt die Zahlen des Plans in die Zwischenablage, eine je Zeile</translation>
    </message>
    <message>
        <source>Re&amp;name scenario</source>
        <translation>Szenario um&amp;benennen</translation>
    </message>
    <message>
        <source>Edits the name in the header</source>
        <translation>Bearbeitet den Namen im Kopf</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>&amp;Plan</translation>
    </message>
    <message>
        <source>&amp;Pin as baseline</source>
        <translation>Als Vergleich an&amp;heften</translation>
    </message>
    <message>
        <source>Shows every later figure's difference from this plan</source>
        <translation>Zeigt von jeder späteren Zahl den Unterschied zu diesem Plan</translation>
    </message>
    <message>
        <source>&amp;Remove baseline</source>
        <translation>Vergleich ent&amp;fernen</translation>
    </message>
    <message>
        <source>Ends the comparison</source>
        <translation>Beendet den Vergleich</translation>
    </message>
    <message>
        <source>&amp;Go back to baseline</source>
        <translation>&amp;Zurück zum Vergleichsplan</translation>
    </message>
    <message>
        <source>Loads the pinned plan again; can be undone</source>
        <translation>Lädt den angehefteten Plan wieder; lässt sich rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Even layer split</source>
        <translation>&amp;Gleiche Schichtteilung</translation>
    </message>
    <message>
        <source>Forgets the drawn stage borders</source>
        <translation>Vergisst die gezogenen Stufengrenzen</translation>
    </message>
    <message>
        <source>&amp;Keep model in my library</source>
        <translation>&amp;Modell in meiner Sammlung aufheben</translation>
    </message>
    <message>
        <source>Saves the architecture to the personal library</source>
        <translation>Sichert die Architektur in der eigenen Sammlung</translation>
    </message>
    <message>
        <source>Keep &amp;node types in my library</source>
        <translation>&amp;Knotenarten in meiner Sammlung aufheben</translation>
    </message>
    <message>
        <source>Saves the drawn nodes and accelerators to the personal library</source>
        <translation>Sichert gezeichnete Knoten und Beschleuniger in der eigenen Sammlung</translation>
    </message>
    <message>
        <source>Cali&amp;bration…</source>
        <translation>&amp;Kalibrierung…</translation>
    </message>
    <message>
        <source>Fits the engine's constants to your own measurements</source>
        <translation>Passt die Konstanten an eigene Messungen an</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Goes to the degrees</source>
        <translation>Geht zu den Graden</translation>
    </message>
    <message>
        <source>&amp;Workload</source>
        <translation>&amp;Arbeit</translation>
    </message>
    <message>
        <source>Goes to what is trained</source>
        <translation>Geht zu dem, was trainiert wird</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>Goes to the model</source>
        <translation>Geht zum Modell</translation>
    </message>
    <message>
        <source>&amp;Cluster</source>
        <translation>&amp;Cluster</translation>
    </message>
    <message>
        <source>Goes to the cluster</source>
        <translation>Geht zum Cluster</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitverlauf</translation>
    </message>
    <message>
        <source>Shows the pipeline schedule</source>
        <translation>Zeigt den Ablauf der Pipeline</translation>
    </message>
    <message>
        <source>M&amp;emory</source>
        <translation>Sp&amp;eicher</translation>
    </message>
    <message>
        <source>Shows memory per stage</source>
        <translation>Zeigt den Speicher je Stufe</translation>
    </message>
    <message>
        <source>T&amp;raffic</source>
        <translation>Ve&amp;rkehr</translation>
    </message>
    <message>
        <source>Shows collectives and links</source>
        <translation>Zeigt Sammeloperationen und Verbindungen</translation>
    </message>
    <message>
        <source>&amp;Scaling</source>
        <translation>&amp;Skalierung</translation>
    </message>
    <message>
        <source>Shows scaling curves</source>
        <translation>Zeigt Skalierungskurven</translation>
    </message>
    <message>
        <source>Searc&amp;h</source>
        <translation>Suc&amp;he</translation>
    </message>
    <message>
        <source>Shows the best plans</source>
        <translation>Zeigt die besten Pläne</translation>
    </message>
    <message>
        <source>C&amp;ompare</source>
        <translation>Ver&amp;gleich</translation>
    </message>
    <message>
        <source>Shows pinned plans side by side</source>
        <translation>Zeigt angeheftete Pläne nebeneinander</translation>
    </message>
    <message>
        <source>E&amp;xplain</source>
        <translation>Er&amp;klären</translation>
    </message>
    <message>
        <source>Shows the formula behind a figure</source>
        <translation>Zeigt die Formel hinter einer Zahl</translation>
    </message>
    <message>
        <source>&amp;Learn</source>
        <translation>&amp;Lernen</translation>
    </message>
    <message>
        <source>Shows the lessons</source>
        <translation>Zeigt die Lektionen</translation>
    </message>
    <message>
        <source>Play&amp;ground</source>
        <translation>Sp&amp;ielplatz</translation>
    </message>
    <message>
        <source>Plays pipeline schedules without a model</source>
        <translation>Spielt Abläufe von Pipelines ohne Modell</translation>
    </message>
    <message>
        <source>L&amp;ight theme</source>
        <translation>&amp;Helles Thema</translation>
    </message>
    <message>
        <source>Switches between light and dark</source>
        <translation>Wechselt zwischen hell und dunkel</translation>
    </message>
    <message>
        <source>Bytes in &amp;GB</source>
        <translation>Byte in &amp;GB</translation>
    </message>
    <message>
        <source>Decimal gigabytes instead of GiB</source>
        <translation>Dezimale Gigabyte statt GiB</translation>
    </message>
    <message>
        <source>&amp;Animate a collective</source>
        <translation>Sammeloperation &amp;bewegt zeigen</translation>
    </message>
    <message>
        <source>All-reduce, all-to-all, ring attention and ZeRO step by step on the drawn cluster</source>
        <translation>All-Reduce, All-to-all, Ring-Attention und ZeRO Schritt für Schritt auf dem gezeichneten Cluster</translation>
    </message>
    <message>
        <source>Prese&amp;ntation</source>
        <translation>&amp;Vorführung</translation>
    </message>
    <message>
        <source>One view after another in large type, on the whole screen</source>
        <translation>Eine Ansicht nach der anderen in großer Schrift, auf dem ganzen Schirm</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>Sp&amp;rache</translation>
    </message>
    <message>
        <source>Language of the interface, lessons and glossary</source>
        <translation>Sprache von Oberfläche, Lektionen und Glossar</translation>
    </message>
    <message>
        <source>Re&amp;duced motion</source>
        <translation>Weniger Be&amp;wegung</translation>
    </message>
    <message>
        <source>Animations go step by step instead of moving</source>
        <translation>Animationen gehen Schritt für Schritt, statt sich zu bewegen</translation>
    </message>
    <message>
        <source>Reset la&amp;yout</source>
        <translation>Anordnung z&amp;urücksetzen</translation>
    </message>
    <message>
        <source>Gives every view its first size</source>
        <translation>Gibt jeder Ansicht ihre erste Größe</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;What is this?</source>
        <translation>&amp;Was ist das?</translation>
    </message>
    <message>
        <source>Opens the glossary at what the mouse is on, else at what has the keyboard</source>
        <translation>Öffnet das Glossar bei dem, worauf die Maus steht, sonst bei dem, was die Tastatur hat</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>&amp;Glossar</translation>
    </message>
    <message>
        <source>Every term: idea, formula, source, a scenario that shows it</source>
        <translation>Jeder Begriff: Gedanke, Formel, Quelle, ein Szenario, das ihn zeigt</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>&amp;Tasten</translation>
    </message>
    <message>
        <source>Shows this page</source>
        <translation>Zeigt diese Seite</translation>
    </message>
    <message>
        <source>&amp;About Trainyard</source>
        <translation>Ü&amp;ber Trainyard</translation>
    </message>
    <message>
        <source>Version and licences</source>
        <translation>Version und Lizenzen</translation>
    </message>
    <message>
        <source>Sliders</source>
        <translation>Schieber</translation>
    </message>
    <message>
        <source>Nearest legal value below or above</source>
        <translation>Nächster erlaubter Wert darunter oder darüber</translation>
    </message>
    <message>
        <source>Smallest or largest legal value</source>
        <translation>Kleinster oder größter erlaubter Wert</translation>
    </message>
    <message>
        <source>While dragging: back to where it began</source>
        <translation>Beim Ziehen: zurück zum Anfang</translation>
    </message>
    <message>
        <source>Model strip</source>
        <translation>Modellstreifen</translation>
    </message>
    <message>
        <source>Previous or next stage border</source>
        <translation>Vorige oder nächste Stufengrenze</translation>
    </message>
    <message>
        <source>Moves the border by one layer</source>
        <translation>Verschiebt die Grenze um eine Schicht</translation>
    </message>
    <message>
        <source>Even layer split</source>
        <translation>Gleiche Schichtteilung</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Zoom in or out</source>
        <translation>Vergrößern oder verkleinern</translation>
    </message>
    <message>
        <source>Pan left or right</source>
        <translation>Nach links oder rechts bewegen</translation>
    </message>
    <message>
        <source>&amp;Accuracy</source>
        <translation>A&amp;bgleich</translation>
    </message>
    <message>
        <source>Shows predictions beside published runs</source>
        <translation>Zeigt Vorhersagen neben veröffentlichten Läufen</translation>
    </message>
    <message>
        <source>as planned</source>
        <translation>wie geplant</translation>
    </message>
    <message>
        <source>%1 longer than planned</source>
        <translation>%1 länger als geplant</translation>
    </message>
    <message>
        <source>%1 shorter than planned</source>
        <translation>%1 kürzer als geplant</translation>
    </message>
    <message>
        <source>%1 of %2 actions matched</source>
        <translation>%1 von %2 Aktionen zugeordnet</translation>
    </message>
    <message>
        <source>Not in the measured trace</source>
        <translation>Nicht in der gemessenen Spur</translation>
    </message>
    <message>
        <source>Measured %1 from %2: %3</source>
        <translation>Gemessen %1 ab %2: %3</translation>
    </message>
    <message>
        <source>Own schedule</source>
        <translation>Eigener Ablauf</translation>
    </message>
    <message>
        <source>%1 devices, %2 micro-batches, %3 actions</source>
        <translation>%1 Geräte, %2 Mikrostapel, %3 Aktionen</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>Füllen</translation>
    </message>
    <message>
        <source>drain</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>waits for another stage</source>
        <translation>wartet auf eine andere Stufe</translation>
    </message>
    <message>
        <source>waits for a transfer</source>
        <translation>wartet auf eine Übergabe</translation>
    </message>
    <message>
        <source>Copy scenario as te&amp;xt</source>
        <translation>Szenario als Te&amp;xt kopieren</translation>
    </message>
    <message>
        <source>The whole scenario as one text for a chat or a mail; paste it to open it</source>
        <translation>Das ganze Szenario als ein Text für Chat oder Mail; Einfügen öffnet es</translation>
    </message>
    <message>
        <source>&amp;Paste scenario</source>
        <translation>Szenario ein&amp;fügen</translation>
    </message>
    <message>
        <source>Opens a scenario from the clipboard: a text made by Copy scenario as text, or the text of a scenario file</source>
        <translation>Öffnet ein Szenario aus der Zwischenablage: einen kopierten Szenariotext oder den Text einer Szenariodatei</translation>
    </message>
    <message>
        <source>Lower halves: measured, %1</source>
        <translation>Untere Hälften: gemessen, %1</translation>
    </message>
    <message>
        <source>Lower halves: measured, scaled to the same work</source>
        <translation>Untere Hälften: gemessen, auf gleiche Arbeit umgerechnet</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <source>Takes over a launch script, a framework's configuration, a topology dump or a host list, pasted or from a file</source>
        <translation>Übernimmt ein Startskript, die Konfiguration eines Frameworks, eine Topologieausgabe oder eine Rechnerliste, eingefügt oder aus einer Datei</translation>
    </message>
    <message>
        <source>Pa&amp;rtition over the devices</source>
        <translation>Auf die Geräte au&amp;fteilen</translation>
    </message>
    <message>
        <source>Splits the layers so that a step is shortest; the search view lets it change more</source>
        <translation>Teilt die Schichten so, dass der Schritt am kürzesten ist; die Suche lässt mehr ändern</translation>
    </message>
    <message>
        <source>Pl&amp;acement</source>
        <translation>An&amp;ordnung</translation>
    </message>
    <message>
        <source>Shows which rank sits where</source>
        <translation>Zeigt, welcher Rang wo sitzt</translation>
    </message>
</context>
<context>
    <name>trainyard::AccuracyPanel</name>
    <message>
        <source>PREDICTED AGAINST PUBLISHED</source>
        <translation>VORHERGESAGT GEGEN VERÖFFENTLICHT</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Abgleich</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Which figure</source>
        <translation>Welche Größe</translation>
    </message>
    <message>
        <source>mean error %1, nine of ten below %2 · %3 runs of %4 sources · order of plans inside sweeps: Kendall's tau %5</source>
        <translation>mittlerer Fehler %1, neun von zehn unter %2 · %3 Läufe aus %4 Quellen · Reihenfolge der Pläne in Reihen: Kendalls Tau %5</translation>
    </message>
    <message>
        <source>mean error %1, 95 % not under by more than %2 · out of memory found %3, wrongly rejected %4</source>
        <translation>mittlerer Fehler %1, 95 % höchstens %2 zu niedrig · Speichermangel erkannt %3, zu Unrecht abgelehnt %4</translation>
    </message>
    <message>
        <source>Largest error:</source>
        <translation>Größter Fehler:</translation>
    </message>
    <message>
        <source>Largest error of %1:</source>
        <translation>Größter Fehler von %1:</translation>
    </message>
    <message>
        <source>Choose a source for its own. Averages weigh a source of n runs by min(1, n / 20).</source>
        <translation>Wählen Sie eine Quelle für ihren eigenen. Mittel gewichten eine Quelle mit n Läufen mit min(1, n / 20).</translation>
    </message>
    <message>
        <source>This scenario is inside the range that was checked</source>
        <translation>Dieses Szenario liegt im geprüften Bereich</translation>
    </message>
    <message>
        <source>This scenario is outside the range that was checked</source>
        <translation>Dieses Szenario liegt außerhalb des geprüften Bereichs</translation>
    </message>
    <message>
        <source>Step time: predicted against published</source>
        <translation>Schrittzeit: vorhergesagt gegen veröffentlicht</translation>
    </message>
    <message>
        <source>Peak memory: predicted against published</source>
        <translation>Speicherspitze: vorhergesagt gegen veröffentlicht</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Predicted against published</source>
        <translation>Vorhergesagt gegen veröffentlicht</translation>
    </message>
    <message>
        <source>Export picture…</source>
        <translation>Bild exportieren…</translation>
    </message>
</context>
<context>
    <name>trainyard::AccuracyPlot</name>
    <message>
        <source>Predicted against published</source>
        <translation>Vorhergesagt gegen veröffentlicht</translation>
    </message>
    <message>
        <source>predicted slower than published</source>
        <translation>langsamer vorhergesagt als veröffentlicht</translation>
    </message>
    <message>
        <source>predicted larger than published</source>
        <translation>größer vorhergesagt als veröffentlicht</translation>
    </message>
    <message>
        <source>predicted faster</source>
        <translation>schneller vorhergesagt</translation>
    </message>
    <message>
        <source>predicted smaller</source>
        <translation>kleiner vorhergesagt</translation>
    </message>
    <message>
        <source>published step time</source>
        <translation>veröffentlichte Schrittzeit</translation>
    </message>
    <message>
        <source>published peak memory</source>
        <translation>veröffentlichte Speicherspitze</translation>
    </message>
    <message>
        <source>predicted step time</source>
        <translation>vorhergesagte Schrittzeit</translation>
    </message>
    <message>
        <source>predicted peak memory</source>
        <translation>vorhergesagte Speicherspitze</translation>
    </message>
    <message>
        <source>%1 runs of %2 sources</source>
        <translation>%1 Läufe aus %2 Quellen</translation>
    </message>
    <message>
        <source>published</source>
        <translation>veröffentlicht</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Its recomputation is not published: the least that fits.</source>
        <translation>Seine Neuberechnung ist nicht veröffentlicht: die geringste, die passt.</translation>
    </message>
</context>
<context>
    <name>trainyard::AccuracyTable</name>
    <message>
        <source>Sources and their errors</source>
        <translation>Quellen und ihre Fehler</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>mean error</source>
        <translation>mittlerer Fehler</translation>
    </message>
    <message>
        <source>9 of 10 below</source>
        <translation>9 von 10 unter</translation>
    </message>
    <message>
        <source>worst under</source>
        <translation>am meisten zu niedrig</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>Neigung</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Its licence does not let the single runs be passed on; the figures are of all of them.</source>
        <translation>Ihre Lizenz erlaubt nicht, die einzelnen Läufe weiterzugeben; die Zahlen sind die aller Läufe.</translation>
    </message>
</context>
<context>
    <name>trainyard::ActionTable</name>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
</context>
<context>
    <name>trainyard::CalibrationDialog</name>
    <message>
        <source>step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Fit to my measurements…</source>
        <translation>An meine Messungen anpassen…</translation>
    </message>
    <message>
        <source>Use these constants</source>
        <translation>Diese Konstanten nutzen</translation>
    </message>
    <message>
        <source>Reset to built-in</source>
        <translation>Zurück auf eingebaute</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>Kalibrierung</translation>
    </message>
    <message>
        <source>CONSTANTS</source>
        <translation>KONSTANTEN</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>Konstanten</translation>
    </message>
    <message>
        <source>RUNS</source>
        <translation>LÄUFE</translation>
    </message>
    <message>
        <source>Runs, measured and predicted</source>
        <translation>Läufe, gemessen und vorhergesagt</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>A JSON or CSV file of your runs: values laid over this scenario, and step_s, tokens_per_s or peak_bytes. “trainyard-cli calibrate --help” describes it.</source>
        <translation>Eine JSON- oder CSV-Datei Ihrer Läufe: Werte, die über dieses Szenario gelegt werden, und step_s, tokens_per_s oder peak_bytes. „trainyard-cli calibrate --help“ beschreibt sie.</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>Messungen</translation>
    </message>
    <message>
        <source>Measurements (*.json *.csv *.tsv *.txt);;All files (*)</source>
        <translation>Messungen (*.json *.csv *.tsv *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Fitting…</source>
        <translation>Wird angepasst…</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>Kalibrieren</translation>
    </message>
    <message>
        <source>Reset calibration</source>
        <translation>Kalibrierung zurücksetzen</translation>
    </message>
    <message>
        <source>Fitted to 1 measurement of yours, not in use yet</source>
        <translation>An 1 Messung angepasst, noch nicht in Gebrauch</translation>
    </message>
    <message>
        <source>Fitted to %1 measurements of yours, not in use yet</source>
        <translation>An %1 Messungen angepasst, noch nicht in Gebrauch</translation>
    </message>
    <message>
        <source>Step time: %1</source>
        <translation>Schrittzeit: %1</translation>
    </message>
    <message>
        <source>Peak memory: %1</source>
        <translation>Speicherspitze: %1</translation>
    </message>
    <message>
        <source>± %1 %</source>
        <translation>± %1 %</translation>
    </message>
    <message>
        <source>Built-in constants in use</source>
        <translation>Eingebaute Konstanten in Gebrauch</translation>
    </message>
    <message>
        <source>In use: %1</source>
        <translation>In Gebrauch: %1</translation>
    </message>
    <message>
        <source>Runs of your own, with their step time or peak memory, fit the engine's constants to your cluster. Constants that the runs do not determine stay as they are.</source>
        <translation>Eigene Läufe mit Schrittzeit oder Speicherspitze passen die Konstanten an Ihren Cluster an. Konstanten, die die Läufe nicht bestimmen, bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Every figure of this scenario uses these factors on the built-in constants.</source>
        <translation>Jede Zahl dieses Szenarios nutzt diese Faktoren auf die eingebauten Konstanten.</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>eingebaut</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>On the built-in figure</source>
        <translation>Auf die eingebaute Zahl</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>Skaliert</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Spanne</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
</context>
<context>
    <name>trainyard::ClusterActions</name>
    <message>
        <source>Cut</source>
        <translation>Ausschneiden</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Verdoppeln</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Edit figures</source>
        <translation>Zahlen bearbeiten</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Align left edges</source>
        <translation>Linke Kanten ausrichten</translation>
    </message>
    <message>
        <source>Align top edges</source>
        <translation>Obere Kanten ausrichten</translation>
    </message>
    <message>
        <source>Place in a row</source>
        <translation>In eine Reihe legen</translation>
    </message>
    <message>
        <source>Arrange everything</source>
        <translation>Alles anordnen</translation>
    </message>
    <message>
        <source>Name the site…</source>
        <translation>Standort benennen…</translation>
    </message>
    <message>
        <source>Unplug</source>
        <translation>Stecker ziehen</translation>
    </message>
    <message>
        <source>Plug in again</source>
        <translation>Wieder einstecken</translation>
    </message>
    <message>
        <source>Slow one node by 20 %</source>
        <translation>Einen Knoten um 20 % bremsen</translation>
    </message>
    <message>
        <source>Full speed again</source>
        <translation>Wieder volles Tempo</translation>
    </message>
    <message>
        <source>Measured bandwidth…</source>
        <translation>Gemessene Bandbreite…</translation>
    </message>
    <message>
        <source>Forget measured bandwidth</source>
        <translation>Gemessene Bandbreite vergessen</translation>
    </message>
    <message>
        <source>One row per node (%1), GB/s from that node to each; commas, tabs or blanks between. Write Gb/s in the first line for gigabits.</source>
        <translation>Eine Zeile je Knoten (%1), GB/s von diesem Knoten zu jedem; Komma, Tabulator oder Leerzeichen dazwischen. Gb/s in der ersten Zeile heißt Gigabit.</translation>
    </message>
    <message>
        <source>Measured bandwidth</source>
        <translation>Gemessene Bandbreite</translation>
    </message>
    <message>
        <source>Swap every %1 for</source>
        <translation>Jeden %1 tauschen gegen</translation>
    </message>
    <message>
        <source>Oversubscribe</source>
        <translation>Überbuchen</translation>
    </message>
    <message>
        <source>1:1, none</source>
        <translation>1:1, keine</translation>
    </message>
    <message>
        <source>%1:1</source>
        <translation>%1:1</translation>
    </message>
    <message>
        <source>Neighbour job on the fabric</source>
        <translation>Nachbarlast im Netz</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Takes %1 %</source>
        <translation>Nimmt %1 %</translation>
    </message>
    <message>
        <source>Align</source>
        <translation>Ausrichten</translation>
    </message>
</context>
<context>
    <name>trainyard::ClusterEditor</name>
    <message>
        <source>Add %1 to %2</source>
        <translation>%1 zu %2 hinzufügen</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Draw %1</source>
        <translation>%1 zeichnen</translation>
    </message>
    <message>
        <source>Switch %1</source>
        <translation>Switch %1</translation>
    </message>
    <message>
        <source>Add a switch</source>
        <translation>Switch hinzufügen</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Multiply to ×%1</source>
        <translation>Vervielfachen auf ×%1</translation>
    </message>
    <message>
        <source>Change the number of devices</source>
        <translation>Gerätezahl ändern</translation>
    </message>
    <message>
        <source>Replace the accelerator</source>
        <translation>Beschleuniger ersetzen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Verdoppeln</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Align</source>
        <translation>Ausrichten</translation>
    </message>
    <message>
        <source>Set the site</source>
        <translation>Standort setzen</translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation>Anordnen</translation>
    </message>
    <message>
        <source>Unplug</source>
        <translation>Stecker ziehen</translation>
    </message>
    <message>
        <source>Plug in again</source>
        <translation>Wieder einstecken</translation>
    </message>
    <message>
        <source>Slow a node down</source>
        <translation>Knoten bremsen</translation>
    </message>
    <message>
        <source>Full speed again</source>
        <translation>Wieder volles Tempo</translation>
    </message>
    <message>
        <source>Swap for %1</source>
        <translation>Tauschen gegen %1</translation>
    </message>
    <message>
        <source>Oversubscribe %1:1</source>
        <translation>%1:1 überbuchen</translation>
    </message>
    <message>
        <source>Add a neighbour job</source>
        <translation>Nachbarlast hinzufügen</translation>
    </message>
    <message>
        <source>Neighbour job ends</source>
        <translation>Nachbarlast endet</translation>
    </message>
    <message>
        <source>Measured bandwidth</source>
        <translation>Gemessene Bandbreite</translation>
    </message>
</context>
<context>
    <name>trainyard::ClusterInspector</name>
    <message>
        <source>Figures of the selection</source>
        <translation>Zahlen der Auswahl</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close the figures</source>
        <translation>Zahlen schließen</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Several selected</source>
        <translation>Mehreres ausgewählt</translation>
    </message>
    <message>
        <source>Pick a block or a cable to see and change its figures.</source>
        <translation>Wählen Sie einen Block oder ein Kabel, um seine Zahlen zu sehen und zu ändern.</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation><numerusform>%n Block</numerusform><numerusform>%n Blöcke</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n cable(s)</source>
        <translation><numerusform>%n Kabel</numerusform><numerusform>%n Kabel</numerusform></translation>
    </message>
    <message>
        <source>%1 · %2 devices in all</source>
        <translation>%1 · %2 Geräte insgesamt</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Equal nodes</source>
        <translation>Gleiche Knoten</translation>
    </message>
    <message>
        <source>Slowed by</source>
        <translation>Gebremst um</translation>
    </message>
    <message>
        <source>not slowed</source>
        <translation>nicht gebremst</translation>
    </message>
    <message>
        <source>Slow down</source>
        <translation>Bremsen</translation>
    </message>
    <message>
        <source>Site</source>
        <translation>Standort</translation>
    </message>
    <message>
        <source>Set the site</source>
        <translation>Standort setzen</translation>
    </message>
    <message>
        <source>Add another kind of accelerator…</source>
        <translation>Andere Art von Beschleuniger hinzufügen…</translation>
    </message>
    <message>
        <source>Per node</source>
        <translation>Je Knoten</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>Ersetzen…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Usable</source>
        <translation>Nutzbar</translation>
    </message>
    <message>
        <source>Memory speed</source>
        <translation>Speichertempo</translation>
    </message>
    <message>
        <source>dense</source>
        <translation>dicht</translation>
    </message>
    <message>
        <source>not built in</source>
        <translation>nicht vorhanden</translation>
    </message>
    <message>
        <source>Scale-up link</source>
        <translation>Interne Verbindung</translation>
    </message>
    <message>
        <source>Host link</source>
        <translation>Verbindung zum Host</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>Preis</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>Links inside a node</source>
        <translation>Verbindungen im Knoten</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Switched</source>
        <translation>Geschaltet</translation>
    </message>
    <message>
        <source>Full mesh</source>
        <translation>Jeder mit jedem</translation>
    </message>
    <message>
        <source>PCIe tree</source>
        <translation>PCIe-Baum</translation>
    </message>
    <message>
        <source>Change the links inside</source>
        <translation>Innere Verbindungen ändern</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Speed, one way</source>
        <translation>Tempo, eine Richtung</translation>
    </message>
    <message>
        <source>Change the speed inside</source>
        <translation>Inneres Tempo ändern</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Change the latency inside</source>
        <translation>Innere Latenz ändern</translation>
    </message>
    <message>
        <source>Per PCIe switch</source>
        <translation>Je PCIe-Switch</translation>
    </message>
    <message>
        <source>Change the PCIe tree</source>
        <translation>PCIe-Baum ändern</translation>
    </message>
    <message>
        <source>Taken by other jobs</source>
        <translation>Von anderen belegt</translation>
    </message>
    <message>
        <source>Change the neighbour job</source>
        <translation>Nachbarlast ändern</translation>
    </message>
    <message>
        <source>Sums in the switch (SHARP)</source>
        <translation>Summen im Switch (SHARP)</translation>
    </message>
    <message>
        <source>Cards reach each other directly</source>
        <translation>Karten erreichen einander direkt</translation>
    </message>
    <message>
        <source>Network ports of a node</source>
        <translation>Netzanschlüsse eines Knotens</translation>
    </message>
    <message>
        <source>Change the network ports</source>
        <translation>Netzanschlüsse ändern</translation>
    </message>
    <message>
        <source>Ports</source>
        <translation>Anschlüsse</translation>
    </message>
    <message>
        <source>Speed of a port</source>
        <translation>Tempo eines Anschlusses</translation>
    </message>
    <message>
        <source>as its cables</source>
        <translation>wie seine Kabel</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>Switch</translation>
    </message>
    <message>
        <source>Oversubscription</source>
        <translation>Überbuchung</translation>
    </message>
    <message>
        <source>Oversubscribe</source>
        <translation>Überbuchen</translation>
    </message>
    <message>
        <source>Change the switch</source>
        <translation>Switch ändern</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Cable</source>
        <translation>Kabel</translation>
    </message>
    <message>
        <source>Change the cable</source>
        <translation>Kabel ändern</translation>
    </message>
    <message>
        <source>Make</source>
        <translation>Fabrikat</translation>
    </message>
    <message>
        <source>Choose a make…</source>
        <translation>Fabrikat wählen…</translation>
    </message>
    <message>
        <source>Cables per node</source>
        <translation>Kabel je Knoten</translation>
    </message>
    <message>
        <source>Speed of one</source>
        <translation>Tempo eines Kabels</translation>
    </message>
    <message>
        <source>typical of its kind</source>
        <translation>üblich für seine Art</translation>
    </message>
    <message>
        <source>Unplugged</source>
        <translation>Gezogen</translation>
    </message>
</context>
<context>
    <name>trainyard::ClusterOutline</name>
    <message>
        <source>Cluster outline</source>
        <translation>Gliederung des Clusters</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>zu %1</translation>
    </message>
    <message>
        <source>Cable to %1, %2 %3%4</source>
        <translation>Kabel zu %1, %2 %3%4</translation>
    </message>
    <message>
        <source>, unplugged</source>
        <translation>, gezogen</translation>
    </message>
    <message>
        <source>%1, %2 nodes of %3</source>
        <translation>%1, %2 Knoten mit %3</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>innen</translation>
    </message>
    <message>
        <source>Inside: %1 %2</source>
        <translation>Innen: %1 %2</translation>
    </message>
    <message>
        <source>in-network sum</source>
        <translation>Summe im Netz</translation>
    </message>
    <message>
        <source>Switch %1</source>
        <translation>Switch %1</translation>
    </message>
    <message>
        <source>Change the number of cables</source>
        <translation>Kabelzahl ändern</translation>
    </message>
</context>
<context>
    <name>trainyard::ClusterPanel</name>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Drag an accelerator, a node or a switch from the left, or press Enter on one, to draw a cluster.</source>
        <translation>Ziehen Sie einen Beschleuniger, Knoten oder Switch von links herein, oder drücken Sie darauf Enter, um einen Cluster zu zeichnen.</translation>
    </message>
    <message>
        <source>Outline of the cluster (Ctrl+Shift+O)</source>
        <translation>Gliederung des Clusters (Strg+Umschalt+O)</translation>
    </message>
    <message>
        <source>Figures of the selection (I)</source>
        <translation>Zahlen der Auswahl (I)</translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation>Verkleinern (-)</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>Vergrößern (+)</translation>
    </message>
    <message>
        <source>Show everything (0)</source>
        <translation>Alles zeigen (0)</translation>
    </message>
</context>
<context>
    <name>trainyard::ClusterView</name>
    <message>
        <source>Cluster canvas</source>
        <translation>Zeichenfläche des Clusters</translation>
    </message>
    <message>
        <source>The drawn cluster. The outline shows the same blocks as a tree.</source>
        <translation>Der gezeichnete Cluster. Die Gliederung zeigt dieselben Blöcke als Baum.</translation>
    </message>
    <message>
        <source>How many nodes this block stands for</source>
        <translation>Für wie viele Knoten dieser Block steht</translation>
    </message>
</context>
<context>
    <name>trainyard::CollectivePlayer</name>
    <message>
        <source>Collective, step by step</source>
        <translation>Sammeloperation, Schritt für Schritt</translation>
    </message>
    <message>
        <source>All-reduce as a ring</source>
        <translation>All-Reduce als Ring</translation>
    </message>
    <message>
        <source>All-to-all</source>
        <translation>All-to-all</translation>
    </message>
    <message>
        <source>Ring attention</source>
        <translation>Ring-Attention</translation>
    </message>
    <message>
        <source>ZeRO 3: gather and free</source>
        <translation>ZeRO 3: sammeln und freigeben</translation>
    </message>
    <message>
        <source>Which collective</source>
        <translation>Welche Sammeloperation</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <source>Play or pause (Space)</source>
        <translation>Abspielen oder anhalten (Leertaste)</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>Schritt vor</translation>
    </message>
    <message>
        <source>Export as animated SVG or PNG frames</source>
        <translation>Als bewegtes SVG oder PNG-Bilder exportieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>This plan has no such group with more than one device.</source>
        <translation>Dieser Plan hat keine solche Gruppe mit mehr als einem Gerät.</translation>
    </message>
    <message>
        <source>before anything moves</source>
        <translation>bevor sich etwas bewegt</translation>
    </message>
    <message>
        <source>each passes on one of %1 parts, and the next adds its own</source>
        <translation>jedes gibt einen von %1 Teilen weiter, und das nächste addiert seinen</translation>
    </message>
    <message>
        <source>each passes on a finished part</source>
        <translation>jedes gibt einen fertigen Teil weiter</translation>
    </message>
    <message>
        <source>each sends another part to another device</source>
        <translation>jedes schickt einen anderen Teil an ein anderes Gerät</translation>
    </message>
    <message>
        <source>keys and values go on to the next; each attends with the block it has</source>
        <translation>Schlüssel und Werte gehen weiter; jedes rechnet mit dem Block, den es hat</translation>
    </message>
    <message>
        <source>shards of one layer go round until all have it whole</source>
        <translation>Teile einer Schicht laufen um, bis alle sie ganz haben</translation>
    </message>
    <message>
        <source>the layer is whole everywhere and is used</source>
        <translation>die Schicht ist überall ganz und wird benutzt</translation>
    </message>
    <message>
        <source>each keeps its own shard and frees the rest</source>
        <translation>jedes behält seinen Teil und gibt den Rest frei</translation>
    </message>
    <message>
        <source>Step %1 of %2: %3</source>
        <translation>Schritt %1 von %2: %3</translation>
    </message>
    <message>
        <source>Export the animation</source>
        <translation>Animation exportieren</translation>
    </message>
    <message>
        <source>Animated SVG (*.svg);;PNG frames (*.png)</source>
        <translation>Bewegtes SVG (*.svg);;PNG-Bilder (*.png)</translation>
    </message>
</context>
<context>
    <name>trainyard::ColourByBar</name>
    <message>
        <source>Colour by</source>
        <translation>Färben nach</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>Pipeline stage</source>
        <translation>Pipeline-Stufe</translation>
    </message>
    <message>
        <source>Which devices split each layer among them</source>
        <translation>Welche Geräte jede Schicht unter sich teilen</translation>
    </message>
    <message>
        <source>Which devices hold the same weights and average gradients</source>
        <translation>Welche Geräte dieselben Gewichte halten und Gradienten mitteln</translation>
    </message>
    <message>
        <source>Which devices split the sequence among them</source>
        <translation>Welche Geräte die Sequenz unter sich teilen</translation>
    </message>
    <message>
        <source>Which devices split the experts among them</source>
        <translation>Welche Geräte die Experten unter sich teilen</translation>
    </message>
    <message>
        <source>Share of the step in which the device computes</source>
        <translation>Anteil des Schritts, in dem das Gerät rechnet</translation>
    </message>
    <message>
        <source>Colour by %1</source>
        <translation>Färben nach %1</translation>
    </message>
    <message>
        <source>Colour devices by</source>
        <translation>Geräte färben nach</translation>
    </message>
</context>
<context>
    <name>trainyard::ComparePanel</name>
    <message>
        <source>Figure</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsplan</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Differences from the baseline</source>
        <translation>Unterschiede zum Vergleichsplan</translation>
    </message>
    <message>
        <source>Pin the plan as a baseline, then change it: what differs stands here, largest difference first.</source>
        <translation>Heften Sie den Plan als Vergleich an und ändern Sie ihn dann: was sich unterscheidet, steht hier, der größte Unterschied zuerst.</translation>
    </message>
    <message>
        <source>One of the two plans cannot be computed as it stands.</source>
        <translation>Einer der beiden Pläne lässt sich so nicht berechnen.</translation>
    </message>
    <message>
        <source>The plan is the pinned baseline.</source>
        <translation>Der Plan ist der angeheftete Vergleichsplan.</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
</context>
<context>
    <name>trainyard::DegreeRow</name>
    <message>
        <source>%1, number</source>
        <translation>%1, Zahl</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>%1 setzen</translation>
    </message>
    <message>
        <source>Unlock %1</source>
        <translation>%1 lösen</translation>
    </message>
    <message>
        <source>Lock %1</source>
        <translation>%1 festhalten</translation>
    </message>
    <message>
        <source>Locked: stays as it is while another degree moves</source>
        <translation>Fest: bleibt, während sich ein anderer Grad bewegt</translation>
    </message>
    <message>
        <source>Lock: keep it while another degree moves</source>
        <translation>Festhalten: bleibt, während sich ein anderer Grad bewegt</translation>
    </message>
</context>
<context>
    <name>trainyard::DegreeSlider</name>
    <message>
        <source>%1; legal values: %2</source>
        <translation>%1; erlaubte Werte: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::ExplainPanel</name>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 auf %2</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>What is this?</source>
        <translation>Was ist das?</translation>
    </message>
    <message>
        <source>Opens the glossary at this figure</source>
        <translation>Öffnet das Glossar bei dieser Größe</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Terms of the figure</source>
        <translation>Terme der Größe</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>Term</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>What would change it most</source>
        <translation>Was sie am meisten ändern würde</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Nothing to explain yet</source>
        <translation>Noch nichts zu erklären</translation>
    </message>
    <message>
        <source>The plan cannot be computed as it stands; the notes beside the plan say why.</source>
        <translation>Der Plan lässt sich so nicht berechnen; die Hinweise neben dem Plan sagen, warum.</translation>
    </message>
    <message>
        <source>The last change moved it %1. Under it moved: %2</source>
        <translation>Die letzte Änderung bewegte sie um %1. Darunter bewegten sich: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::GlossaryPanel</name>
    <message>
        <source>Search terms, formulas, papers</source>
        <translation>Begriffe, Formeln, Arbeiten suchen</translation>
    </message>
    <message>
        <source>Search the glossary</source>
        <translation>Glossar durchsuchen</translation>
    </message>
    <message>
        <source>Previous term</source>
        <translation>Voriger Begriff</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Begriffe</translation>
    </message>
    <message>
        <source>Open a scenario that shows it</source>
        <translation>Szenario öffnen, das ihn zeigt</translation>
    </message>
    <message>
        <source>Show the view</source>
        <translation>Ansicht zeigen</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>Quelle: %1</translation>
    </message>
    <message>
        <source>See also: %1</source>
        <translation>Siehe auch: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::HeaderBar</name>
    <message>
        <source>Name of the scenario</source>
        <translation>Name des Szenarios</translation>
    </message>
</context>
<context>
    <name>trainyard::HelpWindow</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
</context>
<context>
    <name>trainyard::ImportDialog</name>
    <message>
        <source>Take over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Kind of text</source>
        <translation>Art des Textes</translation>
    </message>
    <message>
        <source>Recognised by its content</source>
        <translation>Am Inhalt erkannt</translation>
    </message>
    <message>
        <source>Fills: %1</source>
        <translation>Füllt: %1</translation>
    </message>
    <message>
        <source>Text to import</source>
        <translation>Zu importierender Text</translation>
    </message>
    <message>
        <source>Paste a launch script, a framework's configuration, a topology dump or a host list, or open a file. Nothing is run.</source>
        <translation>Fügen Sie ein Startskript, die Konfiguration eines Frameworks, eine Topologieausgabe oder eine Rechnerliste ein, oder öffnen Sie eine Datei. Nichts wird ausgeführt.</translation>
    </message>
    <message>
        <source>What the text leaves open, such as TP=8 NODES=4</source>
        <translation>Was der Text offen lässt, etwa TP=8 NODES=4</translation>
    </message>
    <message>
        <source>Answers for open variables</source>
        <translation>Werte für offene Variablen</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>Datei öffnen…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Import file</source>
        <translation>Datei importieren</translation>
    </message>
    <message>
        <source>the text</source>
        <translation>der Text</translation>
    </message>
    <message>
        <source>This could not be read</source>
        <translation>Das ließ sich nicht lesen</translation>
    </message>
    <message>
        <source>%1 = %2: %3</source>
        <translation>%1 = %2: %3</translation>
    </message>
    <message>
        <source>To be settled first</source>
        <translation>Zuerst zu klären</translation>
    </message>
    <message>
        <source>Understood</source>
        <translation>Verstanden</translation>
    </message>
    <message>
        <source>Assumed</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>Übergangen</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>%1 importieren</translation>
    </message>
    <message numerus="yes">
        <source>Taken over: %1. %n assumption(s)</source>
        <translation><numerusform>Übernommen: %1. %n Annahme</numerusform><numerusform>Übernommen: %1. %n Annahmen</numerusform></translation>
    </message>
</context>
<context>
    <name>trainyard::LearnPanel</name>
    <message>
        <source>Set up this step</source>
        <translation>Schritt einrichten</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Challenges: the shortest step that fits</source>
        <translation>Aufgaben: der kürzeste Schritt, der passt</translation>
    </message>
    <message>
        <source>What this step says</source>
        <translation>Was dieser Schritt sagt</translation>
    </message>
    <message>
        <source>No lessons were found</source>
        <translation>Keine Lektionen gefunden</translation>
    </message>
    <message>
        <source>%1 · step %2 of %3</source>
        <translation>%1 · Schritt %2 von %3</translation>
    </message>
    <message>
        <source>Reached.</source>
        <translation>Erreicht.</translation>
    </message>
    <message>
        <source>Goal: %1</source>
        <translation>Ziel: %1</translation>
    </message>
    <message>
        <source>Press “Set up this step”; your plan can be brought back with Undo.</source>
        <translation>Drücken Sie „Schritt einrichten“; Ihr Plan kommt mit Rückgängig zurück.</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Von vorn</translation>
    </message>
    <message>
        <source>Challenge %1 of %2</source>
        <translation>Aufgabe %1 von %2</translation>
    </message>
    <message>
        <source>Cluster, model and workload stand; the plan is yours. The score is the step time of a plan that fits.</source>
        <translation>Cluster, Modell und Arbeit stehen fest; der Plan ist frei. Es zählt die Schrittzeit eines Plans, der passt.</translation>
    </message>
    <message>
        <source>Target: **%1**</source>
        <translation>Ziel: **%1**</translation>
    </message>
    <message>
        <source>Your best: **%1**</source>
        <translation>Ihr Bestwert: **%1**</translation>
    </message>
    <message>
        <source>Press “Set up” to begin; your plan can be brought back with Undo.</source>
        <translation>Drücken Sie „Einrichten“, um zu beginnen; Ihr Plan kommt mit Rückgängig zurück.</translation>
    </message>
    <message>
        <source>Solved: %1  %2</source>
        <translation>Gelöst: %1  %2</translation>
    </message>
    <message>
        <source>%1: not yet below the target</source>
        <translation>%1: noch nicht unter dem Ziel</translation>
    </message>
    <message>
        <source>Out of memory: does not count</source>
        <translation>Zu wenig Speicher: zählt nicht</translation>
    </message>
    <message>
        <source>Cluster, model or workload was changed: another task</source>
        <translation>Cluster, Modell oder Arbeit wurde geändert: eine andere Aufgabe</translation>
    </message>
    <message>
        <source>This plan cannot run; see the notices of the plan</source>
        <translation>Dieser Plan kann nicht laufen; siehe die Hinweise des Plans</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>Einrichten</translation>
    </message>
    <message>
        <source>Set up challenge</source>
        <translation>Aufgabe einrichten</translation>
    </message>
    <message>
        <source>Set up lesson step</source>
        <translation>Lektionsschritt einrichten</translation>
    </message>
</context>
<context>
    <name>trainyard::LegendStrip</name>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
</context>
<context>
    <name>trainyard::MainWindow</name>
    <message>
        <source>Clipboard</source>
        <translation>Zwischenablage</translation>
    </message>
    <message>
        <source>Unsaved changes of “%1” were kept.</source>
        <translation>Ungesicherte Änderungen von „%1“ wurden aufgehoben.</translation>
    </message>
    <message>
        <source>Bring them back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Open scenario</source>
        <translation>Szenario öffnen</translation>
    </message>
    <message>
        <source>Open model config</source>
        <translation>Modellkonfiguration öffnen</translation>
    </message>
    <message>
        <source>Model configs (*.json)</source>
        <translation>Modellkonfigurationen (*.json)</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>&amp;Rückgängig: %1</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>&amp;Wiederholen: %1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>Das Bild ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The figures are on the clipboard.</source>
        <translation>Die Zahlen sind in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The scenario is on the clipboard as one text of %1 characters.</source>
        <translation>Das Szenario ist als ein Text von %1 Zeichen in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Go back to baseline</source>
        <translation>Zurück zum Vergleichsplan</translation>
    </message>
    <message>
        <source>Even layer split</source>
        <translation>Gleiche Schichtteilung</translation>
    </message>
    <message>
        <source>Kept in %1</source>
        <translation>Aufgehoben in %1</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>About Trainyard</source>
        <translation>Über Trainyard</translation>
    </message>
    <message>
        <source>&lt;h2&gt;Trainyard %1&lt;/h2&gt;&lt;p&gt;A planner and visualizer for distributed training.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;&lt;p&gt;Font: Inter, SIL Open Font License. Icons: Lucide, ISC licence. Plots: QCustomPlot, GPL.&lt;/p&gt;</source>
        <translation>&lt;h2&gt;Trainyard %1&lt;/h2&gt;&lt;p&gt;Planen und Sehen von verteiltem Training.&lt;/p&gt;&lt;p&gt;Freie Software unter der GNU General Public License, Version 3 oder später.&lt;/p&gt;&lt;p&gt;Schrift: Inter, SIL Open Font License. Symbole: Lucide, ISC-Lizenz. Diagramme: QCustomPlot, GPL.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>The language changes at the next start.</source>
        <translation>Die Sprache wechselt beim nächsten Start.</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Open the scenario of a term</source>
        <translation>Szenario eines Begriffs öffnen</translation>
    </message>
    <message>
        <source>Pin as baseline</source>
        <translation>Als Vergleich anheften</translation>
    </message>
    <message>
        <source>Remove baseline</source>
        <translation>Vergleich entfernen</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Not saved. %1</source>
        <translation>Nicht gesichert. %1</translation>
    </message>
    <message>
        <source>Save scenario</source>
        <translation>Szenario sichern</translation>
    </message>
    <message>
        <source>the clipboard</source>
        <translation>die Zwischenablage</translation>
    </message>
    <message>
        <source>Folder for the report</source>
        <translation>Ordner für den Bericht</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>Geschrieben nach %1</translation>
    </message>
    <message>
        <source>Export the plan</source>
        <translation>Plan exportieren</translation>
    </message>
    <message>
        <source>%1 (*.%2)</source>
        <translation>%1 (*.%2)</translation>
    </message>
    <message>
        <source>Written to %1. Not expressed: %2</source>
        <translation>Geschrieben nach %1. Nicht ausgedrückt: %2</translation>
    </message>
    <message>
        <source>Copy the command that starts it</source>
        <translation>Startbefehl kopieren</translation>
    </message>
    <message>
        <source>Unsaved work from %1: “%2”</source>
        <translation>Ungesicherte Arbeit vom %1: „%2“</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
</context>
<context>
    <name>trainyard::MemoryPanel</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory per stage appears here once the plan can be evaluated.</source>
        <translation>Der Speicher je Stufe erscheint hier, sobald sich der Plan berechnen lässt.</translation>
    </message>
    <message>
        <source>MEMORY BY STAGE</source>
        <translation>SPEICHER JE STUFE</translation>
    </message>
    <message>
        <source>Memory per stage, all figures</source>
        <translation>Speicher je Stufe, alle Zahlen</translation>
    </message>
    <message>
        <source>fullest: stage %1, &lt;span style='color:%2;font-weight:600'&gt;%3&lt;/span&gt; of %4</source>
        <translation>vollste: Stufe %1, &lt;span style='color:%2;font-weight:600'&gt;%3&lt;/span&gt; von %4</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Accelerator of the fullest device</source>
        <translation>Beschleuniger des vollsten Geräts</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Steady peak, %1</source>
        <translation>Spitze im Dauerlauf, %1</translation>
    </message>
    <message>
        <source>Usable</source>
        <translation>Nutzbar</translation>
    </message>
    <message>
        <source>What the device can use, %1</source>
        <translation>Was das Gerät nutzen kann, %1</translation>
    </message>
    <message>
        <source>Filled</source>
        <translation>Gefüllt</translation>
    </message>
    <message>
        <source>Total over usable</source>
        <translation>Summe durch Nutzbares</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>Param.</translation>
    </message>
    <message>
        <source>Grads</source>
        <translation>Grad.</translation>
    </message>
    <message>
        <source>Optim.</source>
        <translation>Optim.</translation>
    </message>
    <message>
        <source>Activ.</source>
        <translation>Aktiv.</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>Temp.</source>
        <translation>Zwisch.</translation>
    </message>
    <message>
        <source>Comm.</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>Framew.</source>
        <translation>Framew.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>Unterwegs</translation>
    </message>
    <message>
        <source>Micro-batches whose activations are held at the peak</source>
        <translation>Mikrostapel, deren Aktivierungen an der Spitze gehalten werden</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Peak while loading, %1</source>
        <translation>Spitze beim Laden, %1</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <source>Peak of the first optimizer step, %1</source>
        <translation>Spitze des ersten Optimiererschritts, %1</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Export picture…</source>
        <translation>Bild exportieren…</translation>
    </message>
    <message>
        <source>Memory by stage</source>
        <translation>Speicher je Stufe</translation>
    </message>
    <message>
        <source>Peak memory per device by stage. Fullest: stage %1 with %2 of %3 usable.</source>
        <translation>Speicherspitze je Gerät nach Stufe. Vollste: Stufe %1 mit %2 von %3 nutzbar.</translation>
    </message>
</context>
<context>
    <name>trainyard::MemoryPlot</name>
    <message>
        <source>Memory per stage</source>
        <translation>Speicher je Stufe</translation>
    </message>
    <message>
        <source>stage %1: %2</source>
        <translation>Stufe %1: %2</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>peak while loading</source>
        <translation>Spitze beim Laden</translation>
    </message>
    <message>
        <source>peak of the first optimizer step</source>
        <translation>Spitze des ersten Optimiererschritts</translation>
    </message>
    <message>
        <source>steady peak</source>
        <translation>Spitze im Dauerlauf</translation>
    </message>
    <message>
        <source>usable</source>
        <translation>nutzbar</translation>
    </message>
    <message>
        <source>first optimizer step</source>
        <translation>erster Optimiererschritt</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
</context>
<context>
    <name>trainyard::ModelPanel</name>
    <message>
        <source>experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>Modelle suchen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Open config.json</source>
        <translation>config.json öffnen</translation>
    </message>
    <message>
        <source>A Hugging Face config.json; it can also be dropped here</source>
        <translation>Eine config.json von Hugging Face; sie kann auch hier abgelegt werden</translation>
    </message>
    <message>
        <source>Keep as my model</source>
        <translation>Als mein Modell aufheben</translation>
    </message>
    <message>
        <source>Save this architecture to the personal library</source>
        <translation>Diese Architektur in der eigenen Sammlung sichern</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>%1 wählen</translation>
    </message>
    <message>
        <source>mine · %1</source>
        <translation>meins · %1</translation>
    </message>
    <message>
        <source>, edited</source>
        <translation>, geändert</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>Attention-Köpfe</translation>
    </message>
    <message>
        <source>Key-value heads</source>
        <translation>Schlüssel-Wert-Köpfe</translation>
    </message>
    <message>
        <source>Head dimension</source>
        <translation>Kopfbreite</translation>
    </message>
    <message>
        <source>Feed-forward width</source>
        <translation>Breite des Vorwärtsteils</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>Vorwärtsteil</translation>
    </message>
    <message>
        <source>Gated</source>
        <translation>Gesteuert</translation>
    </message>
    <message>
        <source>Three matrices, as in SwiGLU</source>
        <translation>Drei Matrizen, wie bei SwiGLU</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>Einfach</translation>
    </message>
    <message>
        <source>Two matrices</source>
        <translation>Zwei Matrizen</translation>
    </message>
    <message>
        <source>Embeddings</source>
        <translation>Einbettungen</translation>
    </message>
    <message>
        <source>Untied</source>
        <translation>Ungebunden</translation>
    </message>
    <message>
        <source>Tied</source>
        <translation>Gebunden</translation>
    </message>
    <message>
        <source>The head reads the embedding's weights</source>
        <translation>Der Kopf liest die Gewichte der Einbettung</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>RMSNorm</source>
        <translation>RMSNorm</translation>
    </message>
    <message>
        <source>LayerNorm</source>
        <translation>LayerNorm</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>None, dense</source>
        <translation>Keine, dicht</translation>
    </message>
    <message>
        <source>Mixture of experts</source>
        <translation>Mischung von Experten</translation>
    </message>
    <message>
        <source>Number of experts</source>
        <translation>Zahl der Experten</translation>
    </message>
    <message>
        <source>Experts per token</source>
        <translation>Experten je Token</translation>
    </message>
    <message>
        <source>Expert width</source>
        <translation>Breite eines Experten</translation>
    </message>
    <message>
        <source>Shared experts</source>
        <translation>Geteilte Experten</translation>
    </message>
    <message>
        <source>Dense layers first</source>
        <translation>Dichte Schichten vorn</translation>
    </message>
    <message>
        <source>Change feed-forward</source>
        <translation>Vorwärtsteil ändern</translation>
    </message>
    <message>
        <source>Change embeddings</source>
        <translation>Einbettungen ändern</translation>
    </message>
    <message>
        <source>Change norm</source>
        <translation>Norm ändern</translation>
    </message>
    <message>
        <source>Change experts</source>
        <translation>Experten ändern</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>, %1 active per token</source>
        <translation>, %1 aktiv je Token</translation>
    </message>
</context>
<context>
    <name>trainyard::ModelStrip</name>
    <message>
        <source>Layers and stage borders</source>
        <translation>Schichten und Stufengrenzen</translation>
    </message>
    <message>
        <source>Move stage border</source>
        <translation>Stufengrenze verschieben</translation>
    </message>
    <message>
        <source>Even layer split</source>
        <translation>Gleiche Schichtteilung</translation>
    </message>
    <message>
        <source>One stage with all layers</source>
        <translation>Eine Stufe mit allen Schichten</translation>
    </message>
    <message>
        <source>Border %1 of %2: %3 layers before it, %4 after it</source>
        <translation>Grenze %1 von %2: %3 Schichten davor, %4 danach</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>grouped-query attention</source>
        <translation>Grouped-Query-Attention</translation>
    </message>
    <message>
        <source>latent attention</source>
        <translation>latente Attention</translation>
    </message>
    <message>
        <source>sliding-window attention</source>
        <translation>Attention mit gleitendem Fenster</translation>
    </message>
    <message>
        <source>linear mixer</source>
        <translation>linearer Mischer</translation>
    </message>
    <message>
        <source>no mixer</source>
        <translation>kein Mischer</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>dense feed-forward</source>
        <translation>dichter Vorwärtsteil</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>, chunk %1</source>
        <translation>, Stück %1</translation>
    </message>
    <message>
        <source>Layer %1 · %2
%3</source>
        <translation>Schicht %1 · %2
%3</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source> · %1 layers, %2 parameters</source>
        <translation> · %1 Schichten, %2 Parameter</translation>
    </message>
    <message>
        <source>, %1 active</source>
        <translation>, %1 aktiv</translation>
    </message>
    <message>
        <source>uneven split</source>
        <translation>ungleiche Teilung</translation>
    </message>
    <message>
        <source>%1 layers a stage</source>
        <translation>%1 Schichten je Stufe</translation>
    </message>
    <message>
        <source> · drag a border to move layers between stages</source>
        <translation> · Grenze ziehen, um Schichten zu verschieben</translation>
    </message>
    <message>
        <source>%1 | %2 layers</source>
        <translation>%1 | %2 Schichten</translation>
    </message>
    <message>
        <source>emb</source>
        <translation>Einb</translation>
    </message>
    <message>
        <source>E</source>
        <translation>E</translation>
    </message>
    <message>
        <source>head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>H</source>
        <translation>K</translation>
    </message>
</context>
<context>
    <name>trainyard::NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>trainyard::NoticeList</name>
    <message>
        <source>Notices</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Set to</source>
        <translation>Setzen auf</translation>
    </message>
</context>
<context>
    <name>trainyard::PartCatalogue</name>
    <message>
        <source>per node</source>
        <translation>je Knoten</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>Switch</translation>
    </message>
    <message>
        <source>joins nodes and other switches</source>
        <translation>verbindet Knoten und andere Switches</translation>
    </message>
</context>
<context>
    <name>trainyard::PartPalette</name>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>Switch</translation>
    </message>
    <message>
        <source>Cable</source>
        <translation>Kabel</translation>
    </message>
    <message>
        <source>What the next connection is made of</source>
        <translation>Woraus die nächste Verbindung ist</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>Fat tree, rails, islands, mesh, ring, two sites: drawn at once</source>
        <translation>Fat Tree, Schienen, Inseln, Netz, Ring, zwei Standorte: auf einmal gezeichnet</translation>
    </message>
    <message>
        <source>All parts</source>
        <translation>Alle Teile</translation>
    </message>
    <message>
        <source>Every accelerator, node and cable (/)</source>
        <translation>Jeder Beschleuniger, Knoten und jedes Kabel (/)</translation>
    </message>
</context>
<context>
    <name>trainyard::PartPopover</name>
    <message>
        <source>All parts</source>
        <translation>Alle Teile</translation>
    </message>
    <message>
        <source>Search by name, maker, memory, link</source>
        <translation>Suchen nach Name, Hersteller, Speicher, Verbindung</translation>
    </message>
    <message>
        <source>Search parts</source>
        <translation>Teile suchen</translation>
    </message>
    <message>
        <source>Accelerators</source>
        <translation>Beschleuniger</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Cables</source>
        <translation>Kabel</translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>Parts found</source>
        <translation>Gefundene Teile</translation>
    </message>
    <message>
        <source>Drag, or click and then click on the canvas; Enter places at once.</source>
        <translation>Ziehen, oder klicken und dann auf die Fläche klicken; Enter legt sofort ab.</translation>
    </message>
    <message>
        <source>Nothing of this name</source>
        <translation>Nichts dieses Namens</translation>
    </message>
    <message>
        <source>Try another tab, or draw it: every figure can be changed after it is placed</source>
        <translation>Versuchen Sie eine andere Karte, oder zeichnen Sie es: jede Zahl lässt sich nach dem Ablegen ändern</translation>
    </message>
</context>
<context>
    <name>trainyard::PartTile</name>
    <message>
        <source>Drag it onto the canvas, or click here and then there, or press Enter</source>
        <translation>Auf die Fläche ziehen, oder hier und dann dort klicken, oder Enter drücken</translation>
    </message>
</context>
<context>
    <name>trainyard::PartitionBar</name>
    <message>
        <source>stage order</source>
        <translation>Stufenfolge</translation>
    </message>
    <message>
        <source>Stages may swap their devices</source>
        <translation>Stufen dürfen Geräte tauschen</translation>
    </message>
    <message>
        <source>tensor per stage</source>
        <translation>Tensor je Stufe</translation>
    </message>
    <message>
        <source>Every stage may have a tensor degree of its own</source>
        <translation>Jede Stufe darf einen eigenen Tensor-Grad haben</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>Repliken</translation>
    </message>
    <message>
        <source>Every replica may have its own stages, split and share of the batch</source>
        <translation>Jede Replik darf eigene Stufen, Teilung und Anteil am Stapel haben</translation>
    </message>
    <message>
        <source>shares</source>
        <translation>Anteile</translation>
    </message>
    <message>
        <source>With ZeRO 3 every device may have its own micro-batch and share of the states</source>
        <translation>Bei ZeRO 3 darf jedes Gerät eigenen Mikrostapel und Anteil am Zustand haben</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Aufteilen</translation>
    </message>
    <message>
        <source>Splits the layers over the devices so that a step is shortest, under every device's memory</source>
        <translation>Teilt die Schichten so auf die Geräte, dass der Schritt am kürzesten ist, unter dem Speicher jedes Geräts</translation>
    </message>
    <message>
        <source>Layers per stage for these devices; ticks let it change more.</source>
        <translation>Schichten je Stufe für diese Geräte; Häkchen lassen mehr ändern.</translation>
    </message>
    <message>
        <source>The plan cannot run as it stands; mend it first.</source>
        <translation>Der Plan kann so nicht laufen; bitte zuerst richten.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>%1 tried, best %2</source>
        <translation>%1 versucht, bester %2</translation>
    </message>
    <message>
        <source>%1 tried, none fits yet</source>
        <translation>%1 versucht, noch passt keiner</translation>
    </message>
    <message>
        <source>Cancelled; the plan is as it was.</source>
        <translation>Abgebrochen; der Plan ist, wie er war.</translation>
    </message>
    <message>
        <source>Nothing fits; %1 too much on the fullest device.</source>
        <translation>Nichts passt; %1 zu viel auf dem vollsten Gerät.</translation>
    </message>
    <message>
        <source>The scenario changed meanwhile; partition it again.</source>
        <translation>Das Szenario hat sich inzwischen geändert; bitte neu aufteilen.</translation>
    </message>
    <message>
        <source>no other split is faster</source>
        <translation>keine andere Teilung ist schneller</translation>
    </message>
    <message>
        <source>at most %1 above the bound</source>
        <translation>höchstens %1 über der Schranke</translation>
    </message>
    <message>
        <source>Nothing faster than the plan as it stands (%1; %2).</source>
        <translation>Nichts schneller als der Plan, wie er ist (%1; %2).</translation>
    </message>
    <message>
        <source>%1 instead of %2, by %3; %4.</source>
        <translation>%1 statt %2, durch %3; %4.</translation>
    </message>
    <message>
        <source>%1, by %2; %3.</source>
        <translation>%1, durch %2; %3.</translation>
    </message>
</context>
<context>
    <name>trainyard::PlacementPanel</name>
    <message>
        <source>Replicas of their own shapes name their devices; choose degrees to place ranks.</source>
        <translation>Repliken eigener Form nennen ihre Geräte; wählen Sie Grade, um Ränge zu legen.</translation>
    </message>
    <message>
        <source>The plan cannot run as it stands; mend it first.</source>
        <translation>Der Plan kann so nicht laufen; bitte zuerst richten.</translation>
    </message>
    <message>
        <source>One device has one place.</source>
        <translation>Ein Gerät hat einen Platz.</translation>
    </message>
    <message>
        <source>Place ranks</source>
        <translation>Ränge legen</translation>
    </message>
    <message>
        <source>Use this placement</source>
        <translation>Diese Anordnung nutzen</translation>
    </message>
    <message>
        <source>TRAFFIC, BEST PLACEMENT</source>
        <translation>VERKEHR, BESTE ANORDNUNG</translation>
    </message>
    <message>
        <source> thousand tries</source>
        <translation> tausend Versuche</translation>
    </message>
    <message>
        <source>Exchanges that are tried, in thousands</source>
        <translation>Versuchte Tausche, in Tausend</translation>
    </message>
    <message>
        <source>seed </source>
        <translation>Keim </translation>
    </message>
    <message>
        <source>Seed of the random exchanges</source>
        <translation>Keim der zufälligen Tausche</translation>
    </message>
    <message>
        <source>LINKS</source>
        <translation>VERBINDUNGEN</translation>
    </message>
    <message>
        <source>TRAFFIC, ORDER AS IT STANDS</source>
        <translation>VERKEHR, REIHENFOLGE WIE SIE IST</translation>
    </message>
    <message>
        <source>BEST PLACEMENTS</source>
        <translation>BESTE ANORDNUNGEN</translation>
    </message>
    <message>
        <source>Rates of the links</source>
        <translation>Raten der Verbindungen</translation>
    </message>
    <message>
        <source>Traffic with the order as it stands</source>
        <translation>Verkehr mit der Reihenfolge, wie sie ist</translation>
    </message>
    <message>
        <source>Traffic with the best placement</source>
        <translation>Verkehr mit der besten Anordnung</translation>
    </message>
    <message>
        <source>Best placements</source>
        <translation>Beste Anordnungen</translation>
    </message>
    <message>
        <source>Exchanges devices between ranks over the measured links as long as that helps.</source>
        <translation>Tauscht Geräte zwischen Rängen über die gemessenen Verbindungen, solange es hilft.</translation>
    </message>
    <message>
        <source>Exchanges devices between ranks over the drawn links as long as that helps.</source>
        <translation>Tauscht Geräte zwischen Rängen über die gezeichneten Verbindungen, solange es hilft.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>No placement fits into memory.</source>
        <translation>Keine Anordnung passt in den Speicher.</translation>
    </message>
    <message>
        <source>step %1 instead of %2, %3 less</source>
        <translation>Schritt %1 statt %2, %3 weniger</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 · %2 of %3 tries kept, in %4</source>
        <translation>%1 · %2 von %3 Versuchen behalten, in %4</translation>
    </message>
    <message>
        <source>none: as it stands</source>
        <translation>keine: wie es ist</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>Against now</source>
        <translation>Gegen jetzt</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>What annealing made small, in closed form</source>
        <translation>Was die Suche klein machte, in geschlossener Form</translation>
    </message>
    <message>
        <source>Ranks moved</source>
        <translation>Bewegte Ränge</translation>
    </message>
    <message>
        <source>TRAFFIC, PLACEMENT %1</source>
        <translation>VERKEHR, ANORDNUNG %1</translation>
    </message>
</context>
<context>
    <name>trainyard::PlanPanel</name>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Virtual stages</source>
        <translation>Virtuelle Stufen</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>Mikrostapel</translation>
    </message>
    <message>
        <source>Struck-out values do not fit this model and cluster. Point at one to see why.</source>
        <translation>Durchgestrichene Werte passen nicht zu Modell und Cluster. Zeigen Sie auf einen, um zu sehen, warum.</translation>
    </message>
    <message>
        <source>Struck-out values do not fit this model, cluster or %1. Point at one to see why.</source>
        <translation>Durchgestrichene Werte passen nicht zu Modell, Cluster oder %1. Zeigen Sie auf einen, um zu sehen, warum.</translation>
    </message>
    <message>
        <source>Degrees</source>
        <translation>Grade</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Gesamtstapel</translation>
    </message>
    <message>
        <source>Global batch, sequences per step</source>
        <translation>Gesamtstapel, Sequenzen je Schritt</translation>
    </message>
    <message>
        <source>Unlock global batch</source>
        <translation>Gesamtstapel lösen</translation>
    </message>
    <message>
        <source>Lock global batch</source>
        <translation>Gesamtstapel festhalten</translation>
    </message>
    <message>
        <source>Locked: the number of micro-batches follows the degrees</source>
        <translation>Fest: die Zahl der Mikrostapel folgt den Graden</translation>
    </message>
    <message>
        <source>Unlocked: the number of micro-batches stays, the global batch follows the degrees</source>
        <translation>Lose: die Zahl der Mikrostapel bleibt, der Gesamtstapel folgt den Graden</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>Any framework</source>
        <translation>Jedes Framework</translation>
    </message>
    <message>
        <source>Whatever can be computed is legal</source>
        <translation>Was sich berechnen lässt, ist erlaubt</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Keep every activation</source>
        <translation>Jede Aktivierung behalten</translation>
    </message>
    <message>
        <source>Selective</source>
        <translation>Teilweise</translation>
    </message>
    <message>
        <source>Drop what is cheap to compute again</source>
        <translation>Wegwerfen, was billig neu zu rechnen ist</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>Keep the input of each layer only</source>
        <translation>Nur den Eingang jeder Schicht behalten</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
    <message>
        <source>0 · replicated</source>
        <translation>0 · überall ganz</translation>
    </message>
    <message>
        <source>Every data-parallel device holds all state</source>
        <translation>Jedes datenparallele Gerät hält allen Zustand</translation>
    </message>
    <message>
        <source>1 · optimizer sharded</source>
        <translation>1 · Optimierer geteilt</translation>
    </message>
    <message>
        <source>Optimizer state is split over the data-parallel devices</source>
        <translation>Der Optimiererzustand ist über die datenparallelen Geräte geteilt</translation>
    </message>
    <message>
        <source>2 · and gradients</source>
        <translation>2 · und Gradienten</translation>
    </message>
    <message>
        <source>Gradients too</source>
        <translation>Auch Gradienten</translation>
    </message>
    <message>
        <source>3 · and parameters</source>
        <translation>3 · und Parameter</translation>
    </message>
    <message>
        <source>Parameters too; they are gathered before use</source>
        <translation>Auch Parameter; sie werden vor Gebrauch gesammelt</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>Sequenz-Parallelität</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Splits norms and residuals over the tensor group along the sequence</source>
        <translation>Teilt Normen und Residuen in der Tensor-Gruppe entlang der Sequenz</translation>
    </message>
    <message>
        <source>Context method</source>
        <translation>Kontext-Verfahren</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>Keys and values travel around the group</source>
        <translation>Schlüssel und Werte wandern um die Gruppe</translation>
    </message>
    <message>
        <source>Ulysses</source>
        <translation>Ulysses</translation>
    </message>
    <message>
        <source>All-to-all: sequence to heads and back</source>
        <translation>All-to-all: Sequenz zu Köpfen und zurück</translation>
    </message>
    <message>
        <source>All-gather</source>
        <translation>All-Gather</translation>
    </message>
    <message>
        <source>Keys and values are gathered once</source>
        <translation>Schlüssel und Werte werden einmal gesammelt</translation>
    </message>
    <message>
        <source>USP</source>
        <translation>USP</translation>
    </message>
    <message>
        <source>Ulysses inside, ring outside</source>
        <translation>Ulysses innen, Ring außen</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>Recomputed modules</source>
        <translation>Neu berechnete Teile</translation>
    </message>
    <message>
        <source>Recomputed layers</source>
        <translation>Neu berechnete Schichten</translation>
    </message>
    <message>
        <source>Placement, fastest first</source>
        <translation>Anordnung, schnellste zuerst</translation>
    </message>
    <message>
        <source>Activations offloaded</source>
        <translation>Ausgelagerte Aktivierungen</translation>
    </message>
    <message>
        <source>Optimizer offloaded</source>
        <translation>Ausgelagerter Optimierer</translation>
    </message>
    <message>
        <source>%1 % to host</source>
        <translation>%1 % zum Host</translation>
    </message>
    <message>
        <source>Change schedule</source>
        <translation>Ablauf ändern</translation>
    </message>
    <message>
        <source>Change ZeRO stage</source>
        <translation>ZeRO-Stufe ändern</translation>
    </message>
    <message>
        <source>Change recomputation</source>
        <translation>Neuberechnung ändern</translation>
    </message>
    <message>
        <source>Change precision</source>
        <translation>Genauigkeit ändern</translation>
    </message>
    <message>
        <source>Change gradient precision</source>
        <translation>Genauigkeit der Gradienten ändern</translation>
    </message>
    <message>
        <source>Change optimizer</source>
        <translation>Optimierer ändern</translation>
    </message>
    <message>
        <source>Change attention</source>
        <translation>Attention ändern</translation>
    </message>
    <message>
        <source>Change sequence parallelism</source>
        <translation>Sequenz-Parallelität ändern</translation>
    </message>
    <message>
        <source>Change context method</source>
        <translation>Kontext-Verfahren ändern</translation>
    </message>
    <message>
        <source>Change placement</source>
        <translation>Anordnung ändern</translation>
    </message>
    <message>
        <source>Change offloading</source>
        <translation>Auslagern ändern</translation>
    </message>
    <message>
        <source>Change recomputed layers</source>
        <translation>Neu berechnete Schichten ändern</translation>
    </message>
    <message>
        <source>Change recomputed modules</source>
        <translation>Neu berechnete Teile ändern</translation>
    </message>
    <message>
        <source>Change overlap</source>
        <translation>Überlappung ändern</translation>
    </message>
    <message>
        <source>Rules of version %1</source>
        <translation>Regeln der Version %1</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>%1 setzen</translation>
    </message>
    <message>
        <source>Not set: </source>
        <translation>Nicht gesetzt: </translation>
    </message>
    <message>
        <source>%1 × %2 × %3 × %4 = %5 devices</source>
        <translation>%1 × %2 × %3 × %4 = %5 Geräte</translation>
    </message>
    <message numerus="yes">
        <source>%n micro-batches</source>
        <translation><numerusform>%n Mikrostapel</numerusform><numerusform>%n Mikrostapel</numerusform></translation>
    </message>
    <message>
        <source>Per stage</source>
        <translation>Je Stufe</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>%1 traffic: %2</source>
        <translation>Verkehr %1: %2</translation>
    </message>
    <message>
        <source>Framework default</source>
        <translation>Standard des Frameworks</translation>
    </message>
</context>
<context>
    <name>trainyard::PlaygroundPanel</name>
    <message>
        <source>OWN SCHEDULE</source>
        <translation>EIGENER ABLAUF</translation>
    </message>
    <message>
        <source>Own schedule</source>
        <translation>Eigener Ablauf</translation>
    </message>
    <message>
        <source>One line per device:
F0.0 F1.0 B0.0 B1.0
F0.1 B0.1 F1.1 B1.1</source>
        <translation>Eine Zeile je Gerät:
F0.0 F1.0 B0.0 B1.0
F0.1 B0.1 F1.1 B1.1</translation>
    </message>
    <message>
        <source>Action, micro-batch, point, stage: F3.2. F forward, B backward, I and W its halves, R recompute; F3:1.2 with a slice, {F7.0|B3.7} as one cell. Native JSON and torch CSV are understood too.</source>
        <translation>Aktion, Mikrostapel, Punkt, Stufe: F3.2. F vorwärts, B rückwärts, I und W seine Hälften, R Neuberechnung; F3:1.2 mit Abschnitt, {F7.0|B3.7} als eine Zelle. Eigenes JSON und CSV von torch gehen auch.</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Sichern…</translation>
    </message>
    <message>
        <source>Open a schedule</source>
        <translation>Ablauf öffnen</translation>
    </message>
    <message>
        <source>Schedules (*.txt *.csv *.json);;All files (*)</source>
        <translation>Abläufe (*.txt *.csv *.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the schedule</source>
        <translation>Ablauf sichern</translation>
    </message>
    <message>
        <source>Schedule playground</source>
        <translation>Spielplatz für Abläufe</translation>
    </message>
    <message>
        <source>SCHEDULES</source>
        <translation>ABLÄUFE</translation>
    </message>
    <message>
        <source>Compare with another</source>
        <translation>Mit anderem vergleichen</translation>
    </message>
    <message>
        <source>WORK</source>
        <translation>ARBEIT</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Pipeline stages p</source>
        <translation>Pipeline-Stufen p</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>Mikrostapel</translation>
    </message>
    <message>
        <source>Micro-batches per step m</source>
        <translation>Mikrostapel je Schritt m</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>Stücke</translation>
    </message>
    <message>
        <source>Model chunks per device v, for schedules that interleave</source>
        <translation>Stücke je Gerät v, für Abläufe, die verschachteln</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Sequence slices per micro-batch k, for schedules that cut sequences</source>
        <translation>Sequenz-Abschnitte je Mikrostapel k, für Abläufe, die Sequenzen schneiden</translation>
    </message>
    <message>
        <source>TIMES, ONE MICRO-BATCH ON ONE DEVICE</source>
        <translation>ZEITEN, EIN MIKROSTAPEL AUF EINEM GERÄT</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Units for the whole share of a device</source>
        <translation>Einheiten für den ganzen Anteil eines Geräts</translation>
    </message>
    <message>
        <source>Input grad.</source>
        <translation>Eing.-Grad.</translation>
    </message>
    <message>
        <source>Backward for inputs</source>
        <translation>Rückwärts für Eingänge</translation>
    </message>
    <message>
        <source>Weight grad.</source>
        <translation>Gew.-Grad.</translation>
    </message>
    <message>
        <source>Backward for weights</source>
        <translation>Rückwärts für Gewichte</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Übergabe</translation>
    </message>
    <message>
        <source>From one device to the next</source>
        <translation>Von einem Gerät zum nächsten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>UNEVEN STAGE</source>
        <translation>UNGLEICHE STUFE</translation>
    </message>
    <message>
        <source>Slow stage</source>
        <translation>Langsame Stufe</translation>
    </message>
    <message>
        <source>The part of the model on this device takes longer</source>
        <translation>Der Teil des Modells auf diesem Gerät dauert länger</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Mal</translation>
    </message>
    <message>
        <source>How much longer</source>
        <translation>Wie viel länger</translation>
    </message>
    <message>
        <source>Jitter</source>
        <translation>Schwankung</translation>
    </message>
    <message>
        <source>Every action takes up to this share longer or shorter</source>
        <translation>Jede Aktion dauert bis zu diesem Anteil länger oder kürzer</translation>
    </message>
    <message>
        <source>Written below: one line per device, for example F0.0 F1.0 B0.0 B1.0</source>
        <translation>Unten geschrieben: eine Zeile je Gerät, zum Beispiel F0.0 F1.0 B0.0 B1.0</translation>
    </message>
    <message>
        <source>Remove this schedule</source>
        <translation>Diesen Ablauf entfernen</translation>
    </message>
    <message>
        <source>Schedule %1</source>
        <translation>Ablauf %1</translation>
    </message>
    <message>
        <source>PARAMETERS</source>
        <translation>PARAMETER</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>Runs: %1</source>
        <translation>Läuft: %1</translation>
    </message>
    <message>
        <source>%1: %2 devices, %3 micro-batches</source>
        <translation>%1: %2 Geräte, %3 Mikrostapel</translation>
    </message>
</context>
<context>
    <name>trainyard::PresentationWindow</name>
    <message>
        <source>Presentation</source>
        <translation>Vorführung</translation>
    </message>
</context>
<context>
    <name>trainyard::ScalingPanel</name>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Scaling curves appear here once the plan can be evaluated.</source>
        <translation>Skalierungskurven erscheinen hier, sobald sich der Plan berechnen lässt.</translation>
    </message>
    <message>
        <source>SCALING</source>
        <translation>SKALIERUNG</translation>
    </message>
    <message>
        <source>Which figure</source>
        <translation>Welche Größe</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>Best plan at each size</source>
        <translation>Bester Plan je Größe</translation>
    </message>
    <message>
        <source>Searches the fastest plan that fits for every size, instead of growing data parallelism</source>
        <translation>Sucht für jede Größe den schnellsten Plan, der passt, statt die Datenparallelität wachsen zu lassen</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Rechnet…</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>efficiency against the smallest size</source>
        <translation>Wirkungsgrad gegen die kleinste Größe</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>tokens per second</source>
        <translation>Token pro Sekunde</translation>
    </message>
    <message>
        <source>too few devices for the other degrees</source>
        <translation>zu wenige Geräte für die anderen Grade</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>zu wenig Speicher</translation>
    </message>
    <message>
        <source>step %1 · %2 tok/s · efficiency %3 · MFU %4 · batch %5, data parallel %6</source>
        <translation>Schritt %1 · %2 Tok/s · Wirkungsgrad %3 · MFU %4 · Stapel %5, datenparallel %6</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 devices&lt;/b&gt;</source>
        <translation>&lt;b&gt;%1 Geräte&lt;/b&gt;</translation>
    </message>
    <message>
        <source>strong, same batch:</source>
        <translation>stark, gleicher Stapel:</translation>
    </message>
    <message>
        <source>weak, batch grows along:</source>
        <translation>schwach, Stapel wächst mit:</translation>
    </message>
</context>
<context>
    <name>trainyard::SearchPanel</name>
    <message>
        <source>Shortest step</source>
        <translation>Kürzester Schritt</translation>
    </message>
    <message>
        <source>Least memory</source>
        <translation>Wenigster Speicher</translation>
    </message>
    <message>
        <source>Lowest cost</source>
        <translation>Niedrigste Kosten</translation>
    </message>
    <message>
        <source>Least energy</source>
        <translation>Wenigste Energie</translation>
    </message>
    <message>
        <source>Most tokens per second</source>
        <translation>Meiste Token pro Sekunde</translation>
    </message>
    <message>
        <source>Find better plans</source>
        <translation>Bessere Pläne suchen</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>All degrees, micro-batches, schedules, ZeRO stages and recomputation modes that fit this cluster and model.</source>
        <translation>Alle Grade, Mikrostapel, Abläufe, ZeRO-Stufen und Arten der Neuberechnung, die zu Cluster und Modell passen.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>Mikrostapel</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Recompute, ZeRO</source>
        <translation>Neuberechnung, ZeRO</translation>
    </message>
    <message>
        <source>Why not first</source>
        <translation>Warum nicht der erste</translation>
    </message>
    <message>
        <source>Plans found</source>
        <translation>Gefundene Pläne</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>best so far: %1</source>
        <translation>bisher bester: %1</translation>
    </message>
    <message>
        <source>No plan of this model fits this cluster: %1 were tried.</source>
        <translation>Kein Plan dieses Modells passt auf diesen Cluster: %1 wurden versucht.</translation>
    </message>
    <message>
        <source>%1 plans priced, %2 ruled out, in %3. Click a row to load it.</source>
        <translation>%1 Pläne berechnet, %2 ausgeschlossen, in %3. Ein Klick auf eine Zeile lädt sie.</translation>
    </message>
    <message>
        <source>the best</source>
        <translation>der beste</translation>
    </message>
    <message>
        <source>Load found plan</source>
        <translation>Gefundenen Plan laden</translation>
    </message>
</context>
<context>
    <name>trainyard::SensitivityList</name>
    <message>
        <source>What would change it most</source>
        <translation>Was sie am meisten ändern würde</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>Change of the figure</source>
        <translation>Änderung der Größe</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>%1, %2: %3. Click to apply.</source>
        <translation>%1, %2: %3. Ein Klick wendet es an.</translation>
    </message>
</context>
<context>
    <name>trainyard::TermTip</name>
    <message>
        <source>%1: glossary (F1)</source>
        <translation>%1: Glossar (F1)</translation>
    </message>
</context>
<context>
    <name>trainyard::TimelineBoard</name>
    <message>
        <source>Three figures are called bubble. Idle share: idle device time over all device time of the step. Above ideal: step over pure work, minus one. In span: one minus the work over the longest time from a device's first to its last action; the start stagger is forgiven (zero-bubble papers).</source>
        <translation>Drei Zahlen heißen Blase. Leeranteil: leere Gerätezeit durch alle Gerätezeit des Schritts. Über ideal: Schritt durch reine Arbeit, minus eins. In der Spanne: eins minus Arbeit durch die längste Zeit von der ersten bis zur letzten Aktion eines Geräts; der versetzte Start ist erlassen (Arbeiten über Zero Bubble).</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <source>Back to the previous start of an action (&lt;)</source>
        <translation>Zurück zum vorigen Start einer Aktion (&lt;)</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play the step action by action (Space)</source>
        <translation>Schritt Aktion für Aktion abspielen (Leertaste)</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>On to the next start of an action (&gt;)</source>
        <translation>Weiter zum nächsten Start einer Aktion (&gt;)</translation>
    </message>
    <message>
        <source>Whole step</source>
        <translation>Ganzer Schritt</translation>
    </message>
    <message>
        <source>Show the whole step (Home)</source>
        <translation>Ganzen Schritt zeigen (Pos1)</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>Show the chain of actions that decides the step time (C)</source>
        <translation>Kette der Aktionen zeigen, die die Schrittzeit bestimmt (C)</translation>
    </message>
    <message>
        <source>Idle by cause</source>
        <translation>Leere nach Grund</translation>
    </message>
    <message>
        <source>Colour idle time by what it waits for</source>
        <translation>Leerzeit nach dem färben, worauf sie wartet</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Falten</translation>
    </message>
    <message>
        <source>Show the repeating part of the step once and leave out the rest of it</source>
        <translation>Den sich wiederholenden Teil des Schritts einmal zeigen und den Rest auslassen</translation>
    </message>
    <message>
        <source>Find 6, F3, stage 2</source>
        <translation>Suche: 6, F3, stage 2</translation>
    </message>
    <message>
        <source>Find in the timeline</source>
        <translation>Im Zeitverlauf suchen</translation>
    </message>
    <message>
        <source>A micro-batch (6), an action (F6, I3.1, W0) or a row (stage 2). Enter: next, Shift+Enter: previous.</source>
        <translation>Ein Mikrostapel (6), eine Aktion (F6, I3.1, W0) oder eine Zeile (stage 2). Enter: nächste, Umschalt+Enter: vorige.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Copy or export the picture, keys</source>
        <translation>Bild kopieren oder exportieren, Tasten</translation>
    </message>
    <message>
        <source>peak %1 in flight</source>
        <translation>Spitze %1 unterwegs</translation>
    </message>
    <message>
        <source>idle: fill, drain</source>
        <translation>leer: füllen, leeren</translation>
    </message>
    <message>
        <source>idle: %1</source>
        <translation>leer: %1</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>Füllen</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übergabe</translation>
    </message>
    <message>
        <source>bubble %1 idle share</source>
        <translation>Blase %1 Leeranteil</translation>
    </message>
    <message>
        <source>%1 above ideal</source>
        <translation>%1 über ideal</translation>
    </message>
    <message>
        <source>%1 in span</source>
        <translation>%1 in der Spanne</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>Bei %1</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>%1 gefunden</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>nicht verstanden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Export picture…</source>
        <translation>Bild exportieren…</translation>
    </message>
    <message>
        <source>Export trace for Perfetto…</source>
        <translation>Spur für Perfetto exportieren…</translation>
    </message>
    <message>
        <source>Lay a measured trace over it…</source>
        <translation>Gemessene Spur darüberlegen…</translation>
    </message>
    <message>
        <source>Take away %1</source>
        <translation>%1 wegnehmen</translation>
    </message>
    <message>
        <source>Taller rows</source>
        <translation>Höhere Zeilen</translation>
    </message>
    <message>
        <source>Fit rows</source>
        <translation>Zeilen einpassen</translation>
    </message>
    <message>
        <source>Keys and mouse</source>
        <translation>Tasten und Maus</translation>
    </message>
    <message>
        <source>Lay a measured trace over the timeline</source>
        <translation>Gemessene Spur über den Zeitverlauf legen</translation>
    </message>
    <message>
        <source>Chrome traces (*.json);;All files (*)</source>
        <translation>Chrome-Spuren (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The trace could not be shown</source>
        <translation>Die Spur ließ sich nicht zeigen</translation>
    </message>
    <message>
        <source>Export trace for Perfetto</source>
        <translation>Spur für Perfetto exportieren</translation>
    </message>
    <message>
        <source>Chrome traces (*.json)</source>
        <translation>Chrome-Spuren (*.json)</translation>
    </message>
    <message>
        <source>The trace could not be written</source>
        <translation>Die Spur ließ sich nicht schreiben</translation>
    </message>
</context>
<context>
    <name>trainyard::TimelineOverview</name>
    <message>
        <source>Overview of the step</source>
        <translation>Übersicht des Schritts</translation>
    </message>
</context>
<context>
    <name>trainyard::TimelinePanel</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>The pipeline schedule appears here once the plan can be evaluated.</source>
        <translation>Der Ablauf der Pipeline erscheint hier, sobald sich der Plan berechnen lässt.</translation>
    </message>
    <message>
        <source>%1, %2 stages, %3 micro-batches</source>
        <translation>%1, %2 Stufen, %3 Mikrostapel</translation>
    </message>
</context>
<context>
    <name>trainyard::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Pipeline schedule, one row per stage. Press question mark for the keys.</source>
        <translation>Ablauf der Pipeline, eine Zeile je Stufe. Fragezeichen zeigt die Tasten.</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>Gemessen: %1</translation>
    </message>
    <message>
        <source>1 micro-batch in flight</source>
        <translation>1 Mikrostapel unterwegs</translation>
    </message>
    <message>
        <source>%1 micro-batches in flight</source>
        <translation>%1 Mikrostapel unterwegs</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation> bei %1</translation>
    </message>
    <message>
        <source>Peak of this row: %1</source>
        <translation>Spitze dieser Zeile: %1</translation>
    </message>
    <message>
        <source>W, S, Ctrl+wheel</source>
        <translation>W, S, Strg+Rad</translation>
    </message>
    <message>
        <source>zoom in, zoom out at the pointer</source>
        <translation>am Zeiger vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>A, D, arrows, Shift+drag, middle drag</source>
        <translation>A, D, Pfeile, Umschalt+Ziehen, mittlere Taste</translation>
    </message>
    <message>
        <source>move in time</source>
        <translation>in der Zeit bewegen</translation>
    </message>
    <message>
        <source>Wheel, Up, Down</source>
        <translation>Rad, Auf, Ab</translation>
    </message>
    <message>
        <source>scroll rows; zoom where all rows fit</source>
        <translation>Zeilen rollen; vergrößern, wo alle Zeilen passen</translation>
    </message>
    <message>
        <source>Alt+wheel</source>
        <translation>Alt+Rad</translation>
    </message>
    <message>
        <source>taller or lower rows</source>
        <translation>höhere oder niedrigere Zeilen</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>whole step</source>
        <translation>ganzer Schritt</translation>
    </message>
    <message>
        <source>Click, Enter</source>
        <translation>Klick, Enter</translation>
    </message>
    <message>
        <source>select an action and its micro-batch</source>
        <translation>Aktion und ihren Mikrostapel wählen</translation>
    </message>
    <message>
        <source>Double click, F F</source>
        <translation>Doppelklick, F F</translation>
    </message>
    <message>
        <source>fit the action</source>
        <translation>Aktion einpassen</translation>
    </message>
    <message>
        <source>Drag</source>
        <translation>Ziehen</translation>
    </message>
    <message>
        <source>mark a stretch: busy, idle, share per kind</source>
        <translation>Strecke markieren: belegt, leer, Anteil je Art</translation>
    </message>
    <message>
        <source>R</source>
        <translation>R</translation>
    </message>
    <message>
        <source>mark the stretch of the selected action</source>
        <translation>Strecke der gewählten Aktion markieren</translation>
    </message>
    <message>
        <source>, and .</source>
        <translation>, und .</translation>
    </message>
    <message>
        <source>previous, next action of the row</source>
        <translation>vorige, nächste Aktion der Zeile</translation>
    </message>
    <message>
        <source>[ and ]</source>
        <translation>[ und ]</translation>
    </message>
    <message>
        <source>previous, next action along the arrows</source>
        <translation>vorige, nächste Aktion entlang der Pfeile</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>kritischer Pfad</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>these keys</source>
        <translation>diese Tasten</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>play, pause</source>
        <translation>abspielen, anhalten</translation>
    </message>
    <message>
        <source>&lt; and &gt;</source>
        <translation>&lt; und &gt;</translation>
    </message>
    <message>
        <source>step to the previous, next start of an action</source>
        <translation>zum vorigen, nächsten Start einer Aktion</translation>
    </message>
    <message>
        <source>/, Ctrl+F</source>
        <translation>/, Strg+F</translation>
    </message>
    <message>
        <source>search</source>
        <translation>suchen</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>clear</source>
        <translation>leeren</translation>
    </message>
</context>
<context>
    <name>trainyard::TrafficMatrix</name>
    <message>
        <source>Traffic matrix</source>
        <translation>Verkehrsmatrix</translation>
    </message>
    <message>
        <source>node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>to %1 →</source>
        <translation>zu %1 →</translation>
    </message>
    <message>
        <source>from ↓</source>
        <translation>von ↓</translation>
    </message>
    <message>
        <source>per second</source>
        <translation>je Sekunde</translation>
    </message>
    <message>
        <source>per step</source>
        <translation>je Schritt</translation>
    </message>
    <message>
        <source>Node %1 to node %2: %3/s</source>
        <translation>Knoten %1 zu Knoten %2: %3/s</translation>
    </message>
    <message>
        <source>Device %1 to device %2: %3/s</source>
        <translation>Gerät %1 zu Gerät %2: %3/s</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Node %1 to node %2: %3 per step</source>
        <translation>Knoten %1 zu Knoten %2: %3 je Schritt</translation>
    </message>
    <message>
        <source>Device %1 to device %2: %3 per step</source>
        <translation>Gerät %1 zu Gerät %2: %3 je Schritt</translation>
    </message>
    <message>
        <source>Inside node %1: %2 per step</source>
        <translation>Im Knoten %1: %2 je Schritt</translation>
    </message>
</context>
<context>
    <name>trainyard::TrafficPanel</name>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>all-reduce</source>
        <translation>All-Reduce</translation>
    </message>
    <message>
        <source>all-gather</source>
        <translation>All-Gather</translation>
    </message>
    <message>
        <source>reduce-scatter</source>
        <translation>Reduce-Scatter</translation>
    </message>
    <message>
        <source>all-to-all</source>
        <translation>All-to-all</translation>
    </message>
    <message>
        <source>send and receive</source>
        <translation>Senden und Empfangen</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>Bytes and time of every collective appear here once the plan can be evaluated.</source>
        <translation>Byte und Zeit jeder Sammeloperation erscheinen hier, sobald sich der Plan berechnen lässt.</translation>
    </message>
    <message>
        <source>COLLECTIVES</source>
        <translation>SAMMELOPERATIONEN</translation>
    </message>
    <message>
        <source>LINKS</source>
        <translation>VERBINDUNGEN</translation>
    </message>
    <message>
        <source>WHO SENDS TO WHOM</source>
        <translation>WER SENDET AN WEN</translation>
    </message>
    <message>
        <source>Collectives by time</source>
        <translation>Sammeloperationen nach Zeit</translation>
    </message>
    <message>
        <source>Links by utilisation</source>
        <translation>Verbindungen nach Auslastung</translation>
    </message>
    <message>
        <source>%1 sent per device</source>
        <translation>%1 je Gerät gesendet</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <source>group of %1</source>
        <translation>Gruppe von %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 exposed</source>
        <translation>%1 offen</translation>
    </message>
    <message>
        <source>all hidden</source>
        <translation>alles verdeckt</translation>
    </message>
    <message>
        <source>%1 per step, of which %2 are felt and %3 hidden under compute</source>
        <translation>%1 je Schritt, davon %2 spürbar und %3 unter dem Rechnen verdeckt</translation>
    </message>
    <message>
        <source>COLLECTIVES: this plan sends nothing</source>
        <translation>SAMMELOPERATIONEN: dieser Plan sendet nichts</translation>
    </message>
    <message>
        <source>%1 per step, %2 exposed (%3 of the step)</source>
        <translation>%1 je Schritt, %2 offen (%3 des Schritts)</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>Inside %1</source>
        <translation>In %1</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>%1
%2 per step, busy %3 of the time</source>
        <translation>%1
%2 je Schritt, %3 der Zeit belegt</translation>
    </message>
    <message>
        <source>node by node</source>
        <translation>Knoten für Knoten</translation>
    </message>
    <message>
        <source>device by device</source>
        <translation>Gerät für Gerät</translation>
    </message>
    <message>
        <source>group	collective	calls per step	bytes per device and step	link	algorithm	group size	time s	exposed s</source>
        <translation>Gruppe	Operation	Aufrufe je Schritt	Byte je Gerät und Schritt	Verbindung	Verfahren	Gruppengröße	Zeit s	offen s</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Export picture…</source>
        <translation>Bild exportieren…</translation>
    </message>
    <message>
        <source>COLLECTIVES: time per step, solid where it is felt</source>
        <translation>SAMMELOPERATIONEN: Zeit je Schritt, voll, wo sie spürbar ist</translation>
    </message>
    <message>
        <source>LINKS: utilisation over the step</source>
        <translation>VERBINDUNGEN: Auslastung über den Schritt</translation>
    </message>
</context>
<context>
    <name>trainyard::VerdictCell</name>
    <message>
        <source>, up by %1</source>
        <translation>, um %1 höher</translation>
    </message>
    <message>
        <source>, down by %1</source>
        <translation>, um %1 niedriger</translation>
    </message>
</context>
<context>
    <name>trainyard::VerdictStrip</name>
    <message>
        <source>Memory · fullest: stage %1, %2</source>
        <translation>Speicher · vollste: Stufe %1, %2</translation>
    </message>
    <message>
        <source>of %1 · %2 % free</source>
        <translation>von %1 · %2 % frei</translation>
    </message>
    <message>
        <source>of %1 · %2 too much</source>
        <translation>von %1 · %2 zu viel</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>Knapp</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>Zu wenig Speicher</translation>
    </message>
    <message>
        <source>%1 of %2 on the fullest device (%3 of %4)</source>
        <translation>%1 von %2 auf dem vollsten Gerät (%3 von %4)</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>%1 compute</source>
        <translation>%1 Rechnen</translation>
    </message>
    <message>
        <source>Time of one optimizer step</source>
        <translation>Zeit eines Optimiererschritts</translation>
    </message>
    <message>
        <source>Step time · %1</source>
        <translation>Schrittzeit · %1</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>Tok/s</translation>
    </message>
    <message>
        <source>%1 per device</source>
        <translation>%1 je Gerät</translation>
    </message>
    <message>
        <source>Tokens trained per second, all devices together</source>
        <translation>Je Sekunde trainierte Token, alle Geräte zusammen</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>% MFU</source>
        <translation>% MFU</translation>
    </message>
    <message>
        <source>HFU %1 % · %2 TFLOP/s</source>
        <translation>HFU %1 % · %2 TFLOP/s</translation>
    </message>
    <message>
        <source>Model FLOPs over dense peak; causal attention counted half</source>
        <translation>Modell-FLOP durch dichte Spitze; kausale Attention halb gezählt</translation>
    </message>
    <message>
        <source>Model FLOPs over dense peak; attention counted in full, as Megatron-LM does</source>
        <translation>Modell-FLOP durch dichte Spitze; Attention ganz gezählt, wie bei Megatron-LM</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>Blase</translation>
    </message>
    <message>
        <source>%1 idle</source>
        <translation>%1 leer</translation>
    </message>
    <message>
        <source>Idle time inside the pipeline, averaged over the devices</source>
        <translation>Leerzeit in der Pipeline, über die Geräte gemittelt</translation>
    </message>
    <message>
        <source>Exposed traffic</source>
        <translation>Offener Verkehr</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>most: %1 %2</source>
        <translation>meist: %1 %2</translation>
    </message>
    <message>
        <source>all hidden</source>
        <translation>alles verdeckt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Time the step waits for communication</source>
        <translation>Zeit, die der Schritt auf Kommunikation wartet</translation>
    </message>
    <message>
        <source>Cost per 10⁹ tokens</source>
        <translation>Kosten je 10⁹ Token</translation>
    </message>
    <message>
        <source>no price known</source>
        <translation>kein Preis bekannt</translation>
    </message>
    <message>
        <source> · run %1</source>
        <translation> · Lauf %1</translation>
    </message>
    <message>
        <source>Cost and energy of training on one billion tokens</source>
        <translation>Kosten und Energie für das Training auf einer Milliarde Token</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Not runnable</source>
        <translation>Nicht lauffähig</translation>
    </message>
    <message>
        <source>see the notices of the plan</source>
        <translation>siehe die Hinweise des Plans</translation>
    </message>
</context>
<context>
    <name>trainyard::WhatIfList</name>
    <message>
        <source>What would free most</source>
        <translation>Was am meisten frei machte</translation>
    </message>
</context>
<context>
    <name>trainyard::WhatIfRow</name>
    <message>
        <source>same time</source>
        <translation>gleiche Zeit</translation>
    </message>
    <message>
        <source> time</source>
        <translation> Zeit</translation>
    </message>
    <message>
        <source>then it fits</source>
        <translation>dann passt es</translation>
    </message>
    <message>
        <source>then it is tight</source>
        <translation>dann ist es knapp</translation>
    </message>
    <message>
        <source>still out of memory</source>
        <translation>immer noch zu wenig Speicher</translation>
    </message>
    <message>
        <source>%1: %2, %3, %4</source>
        <translation>%1: %2, %3, %4</translation>
    </message>
    <message>
        <source>%1 on the fullest stage, step %2; %3. Press to change the plan (one undo step).</source>
        <translation>%1 auf der vollsten Stufe, Schritt %2; %3. Drücken ändert den Plan (ein Schritt zurück).</translation>
    </message>
</context>
<context>
    <name>trainyard::Workbench</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>Playground</source>
        <translation>Spielplatz</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Abgleich</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Plan, workload, model</source>
        <translation>Plan, Arbeit, Modell</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
</context>
<context>
    <name>trainyard::WorkloadPanel</name>
    <message>
        <source>One step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>Sequence length, tokens</source>
        <translation>Sequenzlänge, Token</translation>
    </message>
    <message>
        <source>Global batch, sequences</source>
        <translation>Gesamtstapel, Sequenzen</translation>
    </message>
    <message>
        <source>Norm kernel</source>
        <translation>Norm-Kernel</translation>
    </message>
    <message>
        <source>Fused</source>
        <translation>Gefasst</translation>
    </message>
    <message>
        <source>Unfused</source>
        <translation>Ungefasst</translation>
    </message>
    <message>
        <source>Attention in MFU</source>
        <translation>Attention in der MFU</translation>
    </message>
    <message>
        <source>Counted in full</source>
        <translation>Ganz gezählt</translation>
    </message>
    <message>
        <source>As Megatron-LM does</source>
        <translation>Wie bei Megatron-LM</translation>
    </message>
    <message>
        <source>Causal half</source>
        <translation>Kausale Hälfte</translation>
    </message>
    <message>
        <source>Only the scores that are not masked</source>
        <translation>Nur die Werte, die nicht maskiert sind</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>Ganzer Lauf</translation>
    </message>
    <message>
        <source>Tokens to train on, for example 15T</source>
        <translation>Zu trainierende Token, zum Beispiel 15T</translation>
    </message>
    <message>
        <source>Set sequence length</source>
        <translation>Sequenzlänge setzen</translation>
    </message>
    <message>
        <source>Set global batch</source>
        <translation>Gesamtstapel setzen</translation>
    </message>
    <message>
        <source>Set tokens</source>
        <translation>Token setzen</translation>
    </message>
    <message>
        <source>Change precision</source>
        <translation>Genauigkeit ändern</translation>
    </message>
    <message>
        <source>Change gradient precision</source>
        <translation>Genauigkeit der Gradienten ändern</translation>
    </message>
    <message>
        <source>Change optimizer</source>
        <translation>Optimierer ändern</translation>
    </message>
    <message>
        <source>Change attention</source>
        <translation>Attention ändern</translation>
    </message>
    <message>
        <source>Change norm kernel</source>
        <translation>Norm-Kernel ändern</translation>
    </message>
    <message>
        <source>Change MFU convention</source>
        <translation>MFU-Zählweise ändern</translation>
    </message>
    <message>
        <source>%1 tokens per step</source>
        <translation>%1 Token je Schritt</translation>
    </message>
    <message>
        <source>Say how many tokens, and days, cost and energy stand here.</source>
        <translation>Sagen Sie, wie viele Token, und hier stehen Tage, Kosten und Energie.</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Device hours</source>
        <translation>Gerätestunden</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
</context>
</TS>
