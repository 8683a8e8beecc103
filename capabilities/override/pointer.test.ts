// What a pointer check suggests is itself a pointer that is taken.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPointer } from "../../lib/domain/json-pointer.js";
import { pointerErrors } from "./pointer.js";

const token = fc.string({ minLength: 1 });

function suggestion(text: string): string | undefined {
  return /; write (.*)$/su.exec(pointerErrors(text, "p")[0]?.detail ?? "")?.[1];
}

describe("pointerErrors", () => {
  it("takes every pointer into spec that is written as RFC 6901 says", () => {
    fc.assert(
      fc.property(fc.array(token), tokens => {
        fc.pre(!tokens.some(each => ["labels", "annotations", "nodeSelector", "matchLabels"].includes(each)));
        expect(pointerErrors(formatPointer(["spec", ...tokens]), "p")).toEqual([]);
      }),
    );
  });

  it("takes what it suggests for an annotation key with slashes", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.]+$/), fc.stringMatching(/^[a-z-]+$/), (domain, name) => {
        const meant = suggestion(`/metadata/annotations/${domain}/${name}`);
        expect(meant).toBe(`/metadata/annotations/${domain}~1${name}`);
        expect(pointerErrors(meant ?? "", "p")).toEqual([]);
      }),
    );
  });

  it.each`
    written                                         | meant
    ${'/metadata/annotations/"lb.example/vpc"'}     | ${"/metadata/annotations/lb.example~1vpc"}
    ${'/metadata/annotations/"lb.example~1vpc"'}    | ${"/metadata/annotations/lb.example~1vpc"}
    ${'/metadata/labels/"team"'}                    | ${"/metadata/labels/team"}
    ${"/spec/template/metadata/labels/a.example/b"} | ${"/spec/template/metadata/labels/a.example~1b"}
  `("suggests $meant for $written", ({ written, meant }: { written: string; meant: string }) => {
    expect(suggestion(written)).toBe(meant);
    expect(pointerErrors(meant, "p")).toEqual([]);
  });

  it("takes what it suggests for a path without its first slash", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zA-Z0-9]+$/), { minLength: 1 }), tokens => {
        const meant = suggestion(["spec", ...tokens].join("/"));
        expect(pointerErrors(meant ?? "", "p")).toEqual([]);
      }),
    );
  });
});
