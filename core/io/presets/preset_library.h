#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/cluster/accelerator_spec.h"
#include "core/cluster/cluster_spec.h"

namespace trainyard {

/// The folders of presets/ (`schema`: what describes the others), and the lessons.
enum class PresetKind : std::uint8_t { accelerators, nodes, networks, models, clusters, scenarios, lessons, rules, schema, glossary, challenges };
[[nodiscard]] std::string_view name(PresetKind kind);
[[nodiscard]] std::optional<PresetKind> presetKindFromName(std::string_view name);

/// A kind of network: what one port (or one node) has.
struct NetworkPreset {
    std::string id;
    std::string name;
    LinkKind kind = LinkKind::infiniband;
    bool perNode = false;            ///< figures are of a whole node, not of one port
    double bandwidthBytesPerS = 0;   ///< line rate, one direction
    double achievableBytesPerS = 0;  ///< what transfers reach; 0: not known
    double latencyS = 0;             ///< one message, one way
};

/// A node type with the network it is usually bought with.
struct NodePreset {
    NodeSpec node;  ///< count 1
    NetworkPreset network;
    std::string description;
};

/// What a list of presets shows.
struct PresetSummary {
    std::string id;
    std::string name;
    std::string description;
    std::string origin;  ///< "built in" or the user's file
};

/// The presets that ship and the user's own, which win over shipped ones of the same id. Nothing is parsed before it is
/// asked for, except the user's files, which are checked when they are found. Immutable; safe to share between threads.
class PresetLibrary {
  public:
    /// What ships.
    PresetLibrary() = default;
    /// What ships and the files `KIND/*.json` of these folders; later folders win.
    explicit PresetLibrary(const std::vector<std::string>& folders);

    /// The user's folders: `$XDG_CONFIG_HOME/trainyard/presets` (`~/.config/...`), then those of TRAINYARD_PRESETS
    /// (separated by colons).
    [[nodiscard]] static std::vector<std::string> userFolders();

    /// What is wrong with the user's files; those files are left out.
    [[nodiscard]] const std::vector<Error>& errors() const { return errors_; }

    [[nodiscard]] std::vector<std::string> ids(PresetKind kind) const;
    [[nodiscard]] std::vector<PresetSummary> summaries(PresetKind kind) const;
    /// The JSON text as it stands in the file; nullopt if there is none of that id.
    [[nodiscard]] std::optional<std::string_view> text(PresetKind kind, std::string_view id) const;

    /// By id, or by a name that a driver prints.
    [[nodiscard]] Result<std::shared_ptr<const AcceleratorSpec>> accelerator(std::string_view id) const;
    [[nodiscard]] std::vector<std::shared_ptr<const AcceleratorSpec>> accelerators() const;
    [[nodiscard]] Result<NetworkPreset> network(std::string_view id) const;
    [[nodiscard]] Result<NodePreset> node(std::string_view id) const;
    [[nodiscard]] std::vector<NodePreset> nodes() const;

    /// The graph that a node type or cluster preset stands for. Of a node type: one block of nodes, one switch, one bundle of
    /// cables. An accelerator override replaces the node's own and brings its links along; fewer accelerators per node keep the
    /// network per accelerator; a network rate is that of the whole node, one direction.
    [[nodiscard]] Result<ClusterSpec> expand(const ClusterPreset& preset) const;

  private:
    struct UserFile {
        PresetKind kind;
        std::string id;
        std::string text;
        std::string path;
    };
    void readFolder(const std::string& folder);
    /// What is wrong with a file, if anything.
    [[nodiscard]] std::optional<Error> check(const UserFile& file) const;
    [[nodiscard]] const UserFile* userFileOrNull(PresetKind kind, std::string_view id) const;
    [[nodiscard]] tl::unexpected<Error> unknown(PresetKind kind, std::string_view id) const;

    std::vector<UserFile> userFiles_;
    std::vector<Error> errors_;
};

/// The library with the user's own folders, read once; a constant of the process.
[[nodiscard]] const PresetLibrary& presetLibrary();

/// `presetLibrary().expand(preset)`.
[[nodiscard]] Result<ClusterSpec> expandPreset(const ClusterPreset& preset);

}  // namespace trainyard
