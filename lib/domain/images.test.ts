// Are image references read and changed as registries read them?
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyImageOverride, formatImage, parseImage, type ImageOverride, type ImageParts } from "./images.js";

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;

describe("parseImage", () => {
  it.each`
    image                            | parts
    ${"nginx"}                       | ${{ repository: "nginx" }}
    ${"library/nginx:1.25"}          | ${{ repository: "library/nginx", tag: "1.25" }}
    ${"reg.example/web"}             | ${{ registry: "reg.example", repository: "web" }}
    ${"reg.example:5000/a/b:v1"}     | ${{ registry: "reg.example:5000", repository: "a/b", tag: "v1" }}
    ${"localhost/web:1"}             | ${{ registry: "localhost", repository: "web", tag: "1" }}
    ${"[::1]:5000/web"}              | ${{ registry: "[::1]:5000", repository: "web" }}
    ${`reg.example/web@${DIGEST}`}   | ${{ registry: "reg.example", repository: "web", digest: DIGEST }}
    ${`reg.example/web:1@${DIGEST}`} | ${{ registry: "reg.example", repository: "web", tag: "1", digest: DIGEST }}
  `("splits $image", ({ image, parts }: { image: string; parts: ImageParts }) => {
    expect(parseImage(image)).toEqual({ registry: undefined, tag: undefined, digest: undefined, ...parts });
  });

  it.each(["", "web:", "web@sha256:12", "Web", "reg.example/", "web:a b", "a//b", "web:1:2", "reg.example:x/web"])(
    "refuses %o",
    image => {
      expect(() => parseImage(image)).toThrow("is not an image reference");
    },
  );

  const part = fc.stringMatching(/^[a-z0-9]+([._-][a-z0-9]+)?$/, { maxLength: 12 });
  const anyImage = fc.record({
    registry: fc.option(
      fc.constantFrom("reg.example", "reg.example:5000", "localhost", "[::1]:80", "REG/".slice(0, 3)),
      {
        nil: undefined,
      },
    ),
    // A single first part with a dot reads as a registry: that is how references are read.
    repository: fc.array(part, { minLength: 1, maxLength: 3 }).map(parts => ["repo", ...parts].join("/")),
    tag: fc.option(fc.stringMatching(/^\w[\w.-]{0,20}$/), { nil: undefined }),
    digest: fc.option(fc.constant(DIGEST), { nil: undefined }),
  });

  it("is the inverse of formatImage, and formatImage its inverse", () => {
    fc.assert(
      fc.property(anyImage, parts => {
        expect(parseImage(formatImage(parts))).toEqual(parts);
        expect(formatImage(parseImage(formatImage(parts)))).toBe(formatImage(parts));
      }),
    );
  });
});

describe("applyImageOverride", () => {
  it.each`
    image                       | component       | operator     | value            | result
    ${"reg.io/web:1"}           | ${"Registry"}   | ${"add"}     | ${".cn"}         | ${"reg.io.cn/web:1"}
    ${"web:1"}                  | ${"Registry"}   | ${"add"}     | ${"reg.io"}      | ${"reg.io/web:1"}
    ${"web:1"}                  | ${"Registry"}   | ${"replace"} | ${"reg.io:5000"} | ${"reg.io:5000/web:1"}
    ${"reg.io/a/web:1"}         | ${"Registry"}   | ${"remove"}  | ${undefined}     | ${"a/web:1"}
    ${`reg.io/web:1@${DIGEST}`} | ${"Registry"}   | ${"replace"} | ${"x.io"}        | ${`x.io/web:1@${DIGEST}`}
    ${"reg.io/web:1"}           | ${"Repository"} | ${"replace"} | ${"team/site"}   | ${"reg.io/team/site:1"}
    ${"reg.io/web:1"}           | ${"Repository"} | ${"add"}     | ${"-slim"}       | ${"reg.io/web-slim:1"}
    ${"web"}                    | ${"Tag"}        | ${"add"}     | ${"2.0"}         | ${"web:2.0"}
    ${"web:2.0"}                | ${"Tag"}        | ${"add"}     | ${"-alpine"}     | ${"web:2.0-alpine"}
    ${"web:2.0"}                | ${"Tag"}        | ${"add"}     | ${DIGEST}        | ${`web:2.0@${DIGEST}`}
    ${`web:2.0@${DIGEST}`}      | ${"Tag"}        | ${"add"}     | ${"-alpine"}     | ${"web:2.0-alpine"}
    ${`web:1@${DIGEST}`}        | ${"Tag"}        | ${"replace"} | ${"2.0"}         | ${"web:2.0"}
    ${"web:1"}                  | ${"Tag"}        | ${"replace"} | ${DIGEST}        | ${`web@${DIGEST}`}
    ${"web:1"}                  | ${"Tag"}        | ${"replace"} | ${`2@${DIGEST}`} | ${`web:2@${DIGEST}`}
    ${`web:1@${DIGEST}`}        | ${"Tag"}        | ${"remove"}  | ${undefined}     | ${"web"}
  `("$operator of $component on $image gives $result", ({ image, component, operator, value, result }) => {
    expect(applyImageOverride(image, { component, operator, value } as ImageOverride)).toBe(result);
  });

  it.each`
    image              | component       | operator     | value        | message
    ${"Web:1"}         | ${"Tag"}        | ${"replace"} | ${"2"}       | ${"is not an image reference"}
    ${"web:1"}         | ${"Tag"}        | ${"replace"} | ${"a b"}     | ${'tag "a b" is not valid'}
    ${"web:1"}         | ${"Repository"} | ${"remove"}  | ${undefined} | ${"is not an image reference"}
    ${"web:1"}         | ${"Registry"}   | ${"replace"} | ${undefined} | ${"needs a value"}
    ${`web@${DIGEST}`} | ${"Tag"}        | ${"add"}     | ${"-x"}      | ${"use replace"}
    ${`web@${DIGEST}`} | ${"Tag"}        | ${"add"}     | ${DIGEST}    | ${"use replace"}
  `("refuses $operator of $component with $value on $image", ({ image, component, operator, value, message }) => {
    expect(() => applyImageOverride(image, { component, operator, value } as ImageOverride)).toThrow(message);
  });
});
