// Runs a fuzzer's entry point over every file of the folders named on the command line, and over `--mutate N` changed copies of
// each: bytes flipped, cut, doubled, numbers replaced, pieces of other files put in. The changes are the same in every run.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Where a crash leaves its input: $TRAINYARD_FUZZ_KEEP, if set.
void run(const Bytes& data) {
    if (const char* keep = std::getenv("TRAINYARD_FUZZ_KEEP"))
        std::ofstream(keep, std::ios::binary)
            .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
    LLVMFuzzerTestOneInput(data.data(), data.size());
}

class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    Bytes changed(Bytes data, const std::vector<Bytes>& others) {
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(data, others);
        return data;
    }

  private:
    std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

    void change(Bytes& data, const std::vector<Bytes>& others) {
        constexpr const char* kPieces[] = {"-1",    "0",    "9223372036854775807",
                                           "1e308", "nan",  "\"",
                                           "'",     "{",    "}",
                                           "[",     "]",    "(",
                                           ")",     "<",    ">",
                                           "\n",    ",",    ":",
                                           "=",     "$",    "${",
                                           "\\",    "*",    "|",
                                           "\t",    "\xff", "99999999999999999999",
                                           "null",  "true", "#",
                                           "  "};
        const std::size_t at = below(data.size() + 1);
        const auto place = data.begin() + static_cast<std::ptrdiff_t>(at);
        switch (below(7)) {
            case 0:
                if (at < data.size()) data[at] = static_cast<std::uint8_t>(random_());
                break;
            case 1: data.resize(at); break;
            case 2:
                data.erase(place, place + static_cast<std::ptrdiff_t>(below(std::min<std::size_t>(data.size() - at, 64) + 1)));
                break;
            case 3: {
                const char* piece = kPieces[below(std::size(kPieces))];
                data.insert(place, piece, piece + std::strlen(piece));
                break;
            }
            case 4: {  // a number becomes another
                std::size_t digit = at;
                while (digit < data.size() && (data[digit] < '0' || data[digit] > '9')) ++digit;
                std::size_t end = digit;
                while (end < data.size() && data[end] >= '0' && data[end] <= '9') ++end;
                constexpr const char* kNumbers[] = {"0",   "1", "3", "-5", "7", "1048576", "4294967296", "99999999999999999999",
                                                    "1.5", ""};
                const char* number = kNumbers[below(std::size(kNumbers))];
                data.erase(data.begin() + static_cast<std::ptrdiff_t>(digit), data.begin() + static_cast<std::ptrdiff_t>(end));
                data.insert(data.begin() + static_cast<std::ptrdiff_t>(digit), number, number + std::strlen(number));
                break;
            }
            case 5: {  // a piece of this or another input
                const Bytes& other = others[below(others.size())];
                if (other.empty()) break;
                const std::size_t from = below(other.size()), length = below(std::min<std::size_t>(other.size() - from, 200)) + 1;
                const Bytes piece(other.begin() + static_cast<std::ptrdiff_t>(from),
                                  other.begin() + static_cast<std::ptrdiff_t>(std::min(other.size(), from + length)));
                data.insert(data.begin() + static_cast<std::ptrdiff_t>(at), piece.begin(), piece.end());
                break;
            }
            default: {  // a line goes or comes twice
                const std::size_t start = at,
                                  end = static_cast<std::size_t>(
                                      std::find(data.begin() + static_cast<std::ptrdiff_t>(at), data.end(), '\n') - data.begin());
                const Bytes line(data.begin() + static_cast<std::ptrdiff_t>(start),
                                 data.begin() + static_cast<std::ptrdiff_t>(end));
                if (below(2) == 0)
                    data.erase(data.begin() + static_cast<std::ptrdiff_t>(start),
                               data.begin() + static_cast<std::ptrdiff_t>(end));
                else
                    data.insert(data.begin() + static_cast<std::ptrdiff_t>(end), line.begin(), line.end());
            }
        }
        if (data.size() > 100'000) data.resize(100'000);
    }

    std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
    std::vector<Bytes> inputs;
    std::vector<std::string> names;
    long mutations = 0;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--mutate") == 0 && i + 1 < argc) {
            mutations = std::strtol(argv[++i], nullptr, 10);
            continue;
        }
        std::error_code error;
        for (std::filesystem::recursive_directory_iterator it(argv[i], error), end; it != end; it.increment(error)) {
            if (!it->is_regular_file()) continue;
            std::ifstream in(it->path(), std::ios::binary);
            const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
            inputs.emplace_back(bytes.begin(), bytes.end());
            names.push_back(it->path().string());
        }
    }
    Mutator mutator(20261201);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::printf("%s\n", names[i].c_str());
        std::fflush(stdout);
        run(inputs[i]);
        for (long n = 0; n < mutations; ++n) run(mutator.changed(inputs[i], inputs));
    }
    std::printf("%zu inputs, each with %ld changed copies\n", inputs.size(), mutations);
    return inputs.empty() ? 1 : 0;
}
