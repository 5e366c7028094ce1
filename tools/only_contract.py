"""An import-linter contract: a package imports what is listed and nothing else.

import-linter's own contracts forbid what they name; a list of all that exists cannot
be written. This one turns the list around. `pyproject.toml` names it under
`contract_types`, and `nox -s layers` runs it.
"""

import sys
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.application import contract_utils
from importlinter.application.contract_utils import AlertLevel
from importlinter.domain.imports import ImportExpression

STANDARD_LIBRARY = sys.stdlib_module_names


class OnlyContract(Contract):
    """Keeps `package` to the standard library, itself and `may_import`.

    An entry of `may_import` and `may_not_import` stands for a module and all below it.
    Only direct imports count: what an allowed module imports is its own contract.
    """

    type_name = "only"

    # import-linter puts the values of pyproject.toml in the place of these fields.
    package = cast("str", fields.StringField())
    may_import = cast("list[str]", fields.ListField(subfield=fields.StringField()))
    may_not_import = cast(
        "list[str] | None",
        fields.ListField(subfield=fields.StringField(), required=False),
    )
    ignore_imports = cast(
        "list[ImportExpression] | None",
        fields.SetField(subfield=fields.ImportExpressionField(), required=False),
    )
    unmatched_ignore_imports_alerting = cast(
        "AlertLevel", fields.EnumField(AlertLevel, default=AlertLevel.ERROR)
    )

    def check(
        self,
        graph: ImportGraph,
        verbose: bool,  # noqa: FBT001  # the signature is given
    ) -> ContractCheck:
        """Returns whether the contract is kept, and the imports that break it."""
        warnings = contract_utils.remove_ignored_imports(
            graph, self.ignore_imports, self.unmatched_ignore_imports_alerting
        )
        imports = [
            (importer, imported)
            for importer in sorted(graph.modules)
            if is_within(importer, self.package)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self.allows(imported)
        ]
        return ContractCheck(
            kept=not imports, warnings=warnings, metadata={"imports": imports}
        )

    def allows(self, module: str) -> bool:
        """Returns whether the package may import `module`."""
        if any(is_within(module, name) for name in self.may_not_import or ()):
            return False
        if module.partition(".")[0] in STANDARD_LIBRARY:
            return True
        return any(is_within(module, name) for name in (self.package, *self.may_import))

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Prints each import that the contract doesn't allow."""
        for importer, imported in check.metadata["imports"]:
            output.print_error(f"{importer} must not import {imported}")


def is_within(module: str, package: str) -> bool:
    """Returns whether `module` is `package` or below it."""
    return module == package or module.startswith(f"{package}.")
