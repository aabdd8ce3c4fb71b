# Renders the recipe for two versions of Python and says what it asks for. Needs py-rattler-build.
import pathlib

import rattler_build

VARIANTS = """
python: ["3.11.* *_cpython", "3.13.* *_cp313"]
cxx_compiler: [gxx]
c_stdlib: [sysroot]
c_stdlib_version: ["2.28"]
"""

recipe = rattler_build.Stage0Recipe.from_file(str(pathlib.Path(__file__).with_name("recipe.yaml")))
rendered = recipe.render(rattler_build.VariantConfig.from_yaml(VARIANTS))
assert len(rendered) == 2, rendered
for variant in rendered:
    package = variant.recipe.to_dict()
    assert "gxx_linux-64" in package["requirements"]["build"], package
    print(package["package"]["name"], package["package"]["version"], package["build"]["string"])
