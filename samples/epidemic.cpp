// An epidemic on a grid of people, distributed over the ranks of an MPI job:
//
//     mpirun -n 2 epidemic [chart [folder for output [people in a row [ticks]]]]
//
// Sick people cough at random neighbors. The chart is samples/data/epidemic.xml. The program prints the populations,
// and writes a picture and a checkpoint. Any number of ranks computes the same populations.

#include <hsm/cluster.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace std::chrono_literals;

// [person]
struct person {
    std::uint32_t coughs = 0;
};

hsm::distributed_crowd<person>* town = nullptr; // hooks post by it
hsm::global_id width = 200;

void cough(person& p) {
    auto me = town->acting(p);
    const auto chance = hsm::derived_id(me.id(), ++p.coughs);
    const auto people = width * width;
    const hsm::global_id steps[] = {1, width, people - 1, people - width}; // to the neighbors; the grid has no borders
    if (chance % 4 == 0) me.post((me.id() + steps[chance / 4 % 4]) % people, "cough");
}
// [/person]

// [home]
// Each rank has a block of rows, so most neighbors are on the same rank.
int rank_of(hsm::global_id id, int ranks) {
    const auto rows_of_rank = (width + static_cast<hsm::global_id>(ranks) - 1) / static_cast<hsm::global_id>(ranks);
    return static_cast<int>(id / width / rows_of_rank);
}
// [/home]

const hsm::registration<person> hooks{[](hsm::registrar<person>& names) { names.hook("cough", &cough); }};

/// Each rank writes the pixels of its rows.
void write_picture(const std::string& file) {
    const auto header = "P6\n" + std::to_string(width) + " " + std::to_string(width) + "\n255\n";
    std::string pixels(static_cast<std::size_t>(width * width) * 3, '\0');
    std::size_t first = pixels.size(), last = 0;
    town->local().each([&](hsm::agent_id id, const person&) {
        const auto state = town->local().current(id).name();
        const char* const color = state == "sick"     ? "\xd0\x30\x20"
                                  : state == "immune" ? "\x40\x70\xc0"
                                                      : "\xe8\xe8\xe0";
        const auto at = static_cast<std::size_t>(town->global(id)) * 3;
        pixels.replace(at, 3, color);
        first = std::min(first, at);
        last = std::max(last, at + 3);
    });
    if (auto* const picture = town->rank() == 0 ? std::fopen(file.c_str(), "wb") : nullptr) {
        std::fwrite(header.data(), 1, header.size(), picture);
        std::fclose(picture);
    }
    town->count(); // all ranks wait for the file
    if (auto* const picture = first < last ? std::fopen(file.c_str(), "r+b") : nullptr) {
        std::fseek(picture, static_cast<long>(header.size() + first), SEEK_SET);
        std::fwrite(pixels.data() + first, 1, last - first, picture);
        std::fclose(picture);
    }
    town->count(); // the picture is complete
}

void print_populations(const char* when) {
    const auto healthy = town->count("healthy"), sick = town->count("sick"), immune = town->count("immune");
    if (town->rank() == 0)
        std::printf("%-12s %9llu healthy %9llu sick %9llu immune\n", when, static_cast<unsigned long long>(healthy),
                    static_cast<unsigned long long>(sick), static_cast<unsigned long long>(immune));
}

int main(int count, char** words) {
    const std::string chart_file = count > 1 ? words[1] : "samples/data/epidemic.xml";
    const std::string folder = count > 2 ? words[2] : ".";
    width = count > 3 ? std::strtoull(words[3], nullptr, 10) : 200;
    const auto ticks = count > 4 ? std::strtoull(words[4], nullptr, 10) : 100;

    // [run]
    const hsm::registry<person> names;
    const auto chart = hsm::compile(hsm::load_xml(chart_file, names));
    hsm::distributed_crowd crowd{hsm::world(), chart, {.home = &rank_of}};
    town = &crowd;
    for (hsm::global_id id = 0; id < width * width; ++id)
        if (crowd.is_home(id)) crowd.add(id);
    if (crowd.rank() == 0) crowd.post(width * width / 2 + width / 2, "cough");
    while (crowd.ticks() < ticks) {
        crowd.tick(50ms);
        if (crowd.ticks() % ((ticks + 4) / 5) == 0)
            print_populations(("tick " + std::to_string(crowd.ticks())).c_str());
    }
    crowd.save(folder + "/epidemic.hsm");
    // [/run]
    write_picture(folder + "/epidemic.ppm");

    // A crowd with any number of ranks continues from the checkpoint.
    const auto sick = crowd.count("sick");
    crowd.tick(50ms);
    crowd.restore(folder + "/epidemic.hsm");
    if (crowd.count("sick") != sick || crowd.count() != width * width) return 1;
    print_populations("restored");
    return 0;
}
