/* SPDX-License-Identifier: GPL-2.0 */
// The module that clang-tidy loads: one check per rule.
#include "Checks.h"

#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"

namespace hotcocci {

class Module : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &Factories) override {
    Factories.registerCheck<SavedCheck>("hotcocci-uw02");
    Factories.registerCheck<DirectionCheck>("hotcocci-uw04");
    Factories.registerCheck<RangeCheck>("hotcocci-uw05");
    Factories.registerCheck<HelperCheck>("hotcocci-uw07");
    Factories.registerCheck<AggregateCheck>("hotcocci-uw08");
    Factories.registerCheck<ArgumentCheck>("hotcocci-uw11");
    Factories.registerCheck<CleanupCheck>("hotcocci-uw12");
    Factories.registerCheck<AliasCheck>("hotcocci-uw14");
    Factories.registerCheck<FirstAccessCheck>("hotcocci-uw15");
    Factories.registerCheck<ScopeLabelCheck>("hotcocci-uw16");
    Factories.registerCheck<ScopeLoopCheck>("hotcocci-uw17");
    Factories.registerCheck<WidthCheck>("hotcocci-uw19");
    Factories.registerCheck<PlainCheck>("hotcocci-uw21");
    Factories.registerCheck<FaultCheck>("hotcocci-uw26");
    Factories.registerCheck<FetchCheck>("hotcocci-uw27");
  }
};

static clang::tidy::ClangTidyModuleRegistry::Add<Module>
    Registered("hotcocci-module", "User access windows in the Linux kernel.");

} // namespace hotcocci
