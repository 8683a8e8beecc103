// Which names may a cluster have?
import { describe, expect, it } from "vitest";
import { checkClusterName } from "./names.js";

describe("checkClusterName", () => {
  it.each(["m", "member1", "eu-west-1", "m".repeat(48)])("accepts %s", name => {
    expect(() => checkClusterName(name)).not.toThrow();
  });

  it.each`
    name              | says                     | sentence
    ${"m".repeat(49)} | ${"has 49 characters"}   | ${"refuses a name that is too long for its Secrets"}
    ${"Member"}       | ${"not a valid cluster"} | ${"refuses capital letters"}
    ${"eu.west"}      | ${"not a valid cluster"} | ${"refuses dots"}
    ${"-m"}           | ${"not a valid cluster"} | ${"refuses a hyphen at the beginning"}
    ${""}             | ${"not a valid cluster"} | ${"refuses no name at all"}
  `("$sentence", ({ name, says }: { name: string; says: string }) => {
    expect(() => checkClusterName(name)).toThrow(says);
  });
});
