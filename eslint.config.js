// What we hold ourselves to beyond the compiler: small functions, no `any`, no unhandled promise.
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/**", "dist/**", "**/*.yaml"] },
  ...tseslint.configs.recommended,
  {
    files: ["**/*.ts"],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      // `const { dropped: _dropped, ...kept } = object` is how a field is left out.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true } }],
      complexity: ["error", 10],
      "max-depth": ["error", 3],
      "max-params": ["error", 4],
    },
  },
  { files: ["*.config.{js,ts}"], rules: { "no-restricted-exports": "off" } },
  // A zod schema and its type share one name: the type is what the schema says.
  { files: ["crds/**/*.ts"], rules: { "@typescript-eslint/no-redeclare": "off" } },
);
