// How far Gomoku's alpha-beta looks for wins by continuous fours (VCF) and by threes and fours (VCT), as options.
#pragma once

#include <memory>
#include <span>

#include "core/search/options.hpp"
#include "core/weights.hpp"

namespace tengen::gomoku {

class LineNetworks;

struct ThreatSettings {
    double vcf_leaf = 16, vcf_node = 16, vcf_most = 1000, vcf_root = 5000, vcf_enemy_depth = 2;
    double vct_root = 200000, vct_share = 15;
    std::shared_ptr<const Weights> weights;
    std::shared_ptr<const LineNetworks> networks;  // of the weights, once they are checked

    static std::span<const Option<ThreatSettings>> options();
    bool operator==(const ThreatSettings&) const = default;
};

inline constexpr Option<ThreatSettings> kThreatOptions[] = {
    {"vcf_leaf", &ThreatSettings::vcf_leaf, 0, 1e6,
     "positions of a search for a win by continuous fours where the depth ends", Kind::whole},
    {"vcf_node", &ThreatSettings::vcf_node, 0, 1e6, "the same at other nodes, times their depth", Kind::whole},
    {"vcf_most", &ThreatSettings::vcf_most, 0, 1e6, "most positions of it there", Kind::whole},
    {"vcf_root", &ThreatSettings::vcf_root, 0, 1e7, "the same at the root, for either side", Kind::whole},
    {"vcf_enemy_depth", &ThreatSettings::vcf_enemy_depth, 1, 255,
     "least depth at which the enemy's win by fours is looked for, so that only what could stop it is tried",
     Kind::whole},
    {"vct_root", &ThreatSettings::vct_root, 0, 1e7,
     "most positions at the root of a search for a win by threes and fours, for either side; 0: none", Kind::whole},
    {"vct_share", &ThreatSettings::vct_share, 0, 100, "per cent of the nodes so far that each such search may take"},
};

inline std::span<const Option<ThreatSettings>> ThreatSettings::options() { return kThreatOptions; }

}  // namespace tengen::gomoku
