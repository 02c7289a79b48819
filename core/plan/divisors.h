#pragma once

#include <cstdint>
#include <vector>

namespace trainyard {

/// All positive divisors, ascending; of 0 or less: none.
[[nodiscard]] inline std::vector<std::int64_t> divisors(std::int64_t number) {
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    for (std::int64_t i = 1; i <= number / i; ++i) {
        if (number % i != 0) continue;
        low.push_back(i);
        if (i != number / i) high.push_back(number / i);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

}  // namespace trainyard
