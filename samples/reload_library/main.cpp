// A program that replaces the library with its machines while 1,000 soldiers march: they continue where they are.

#include "soldier.hpp"

#include <hsm/crowd.hpp>
#include <hsm/reload.hpp>

#include "../expect.hpp"

#include <dlfcn.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::chrono_literals;

/// A loaded library. Its charts, and locals of its classes, must be destroyed before it.
class library {
public:
    explicit library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_) throw std::runtime_error(dlerror());
    }
    library(const library&) = delete;
    ~library() { dlclose(handle_); }

    hsm::chart<soldier> make() const {
        hsm::chart<soldier> made(nullptr);
        reinterpret_cast<decltype(&make_soldiers)>(dlsym(handle_, "make_soldiers"))(made);
        return made;
    }

private:
    void* handle_;
};

int main(int, char** arguments) {
    // [reload]
    std::unique_ptr<library> code = std::make_unique<library>(arguments[1]);
    auto chart = code->make();
    hsm::crowd army{chart};
    std::vector<hsm::agent_id> soldiers;
    for (int i = 0; i < 1000; ++i) soldiers.push_back(army.add());
    army.process(soldiers, whistle{});
    for (int frame = 0; frame < 5; ++frame) army.tick(10ms);

    auto new_code =
        std::make_unique<library>(arguments[2]); // a file with another name: dlopen does not load the same file twice
    auto new_chart = new_code->make();
    bool released = false;
    {
        hsm::reload_plan plan(chart, new_chart);
        plan.apply(army);
        released = plan.released();
    }
    chart = std::move(new_chart);             // destroys the old chart, whose hooks are in the old library
    if (released) code = std::move(new_code); // only now: dlclose
    // [/reload]
    expect("released", released ? "yes" : "no", "yes");
    expect("state", army.current(soldiers[999]).path(), "soldier/run");
    for (int frame = 0; frame < 5; ++frame) army.tick(10ms); // the timer of 100 ms that already ran stays
    expect("steps", std::to_string(army.context(soldiers[999]).steps), "13");
    expect("back after", army.current(soldiers[999]).path(), "soldier/wait");
}
