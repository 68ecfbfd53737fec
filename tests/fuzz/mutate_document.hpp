/// For fuzzers of documents: half of the changes leave them well-formed, so that not only the parser is tested.
#pragma once

#include <tests/support/mutated_document.hpp>

#include <hsm/save/save_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace fuzz {

/// An input is a byte and a document. read(text) makes a tree of it or throws save_error, write(tree) makes a text of that.
template <class Read, class Write>
std::size_t mutate_document(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed, const Read& read, const Write& write) {
    std::minstd_rand random(seed);
    if (size > 1 && random() % 2 == 0) try {
            const std::string text = write(test::mutated(read(std::string(reinterpret_cast<const char*>(data + 1), size - 1)), random));
            if (text.size() < most) {
                std::ranges::copy(text, data + 1);
                return text.size() + 1;
            }
        } catch (const hsm::save_error&) { // it is none
        }
    return LLVMFuzzerMutate(data, size, most);
}

} // namespace fuzz
