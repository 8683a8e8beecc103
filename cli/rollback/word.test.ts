// Is the word written on the very template that is meant, and on no other?
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../crds/object.js";
import { CASCADE_DELETION_ANNOTATION } from "../../lib/domain/marks.js";
import type { KubeClient } from "../../lib/kube/client.js";
import { KubeError } from "../../lib/kube/errors.js";
import { CONFIG_MAPS } from "../../lib/kube/kinds.js";
import { configMap } from "../view/samples.js";
import type { Standing } from "./standing.js";
import { setWord, takeWordBack } from "./word.js";

const worded = (uid: string, word?: string): KubeObject => {
  const bare = configMap("web", uid);
  return {
    ...bare,
    metadata: { ...bare.metadata, ...(word && { annotations: { [CASCADE_DELETION_ANNOTATION]: word } }) },
  };
};

const standingOf = (template: KubeObject): Standing => ({
  name: { resource: { ...CONFIG_MAPS, verbs: [], subresources: [] }, namespace: "shop", name: "web" },
  reference: template,
  template,
  binding: undefined,
  works: [],
});

/** A host with one object; of patches it answers with what `refusals` has, one after the other, and then takes them. */
function hostWith(live: KubeObject | undefined, ...refusals: readonly number[]) {
  const written: unknown[] = [];
  const open = [...refusals];
  const request = (method: string, _path: string, options: { readonly body?: unknown } = {}): Promise<unknown> => {
    const status = method === "GET" ? (live ? undefined : 404) : open.shift();
    if (status !== undefined) return Promise.reject(new KubeError(status, "", "refused"));
    if (method === "GET") return Promise.resolve(live);
    written.push(options.body);
    return Promise.resolve(live);
  };
  return { host: { request } as unknown as KubeClient, written };
}

describe("setWord", () => {
  const template = worded("u1");

  it.each`
    what                                            | live                      | refusals | said     | writes
    ${"a template without it"}                      | ${worded("u1")}           | ${[]}    | ${"yes"} | ${1}
    ${"one that was written meanwhile"}             | ${worded("u1")}           | ${[409]} | ${"yes"} | ${1}
    ${"one that somebody gave the word meanwhile"}  | ${worded("u1", "orphan")} | ${[409]} | ${"yes"} | ${0}
    ${"one that was deleted before the write"}      | ${undefined}              | ${[404]} | ${"no"}  | ${0}
    ${"one in whose place there is another by now"} | ${worded("u2")}           | ${[409]} | ${"no"}  | ${0}
  `(
    "answers $said after $writes write(s) for $what",
    async ({
      live,
      refusals,
      said,
      writes,
    }: {
      live: KubeObject;
      refusals: number[];
      said: string;
      writes: number;
    }) => {
      const { host, written } = hostWith(live, ...refusals);
      const answer = await setWord(host, standingOf(template), template, "orphan");
      expect(answer ? "yes" : "no").toBe(said);
      expect(written).toHaveLength(writes);
    },
  );

  it("guards its write by uid and version", async () => {
    const { host, written } = hostWith(template);
    await setWord(
      host,
      standingOf(template),
      { ...template, metadata: { ...template.metadata, resourceVersion: "7" } },
      "orphan",
    );
    expect(written).toMatchObject([{ metadata: { uid: "u1", resourceVersion: "7" } }]);
  });
});

describe("takeWordBack", () => {
  it.each`
    what                                    | live                          | writes
    ${"the word that the rollback has set"} | ${worded("u1", "orphan")}     | ${1}
    ${"a word that is another one by now"}  | ${worded("u1", "background")} | ${0}
    ${"another template of this name"}      | ${worded("u2", "orphan")}     | ${0}
    ${"a template that is gone"}            | ${undefined}                  | ${0}
  `("writes $writes time(s) over $what", async ({ live, writes }: { live: KubeObject | undefined; writes: number }) => {
    const { host, written } = hostWith(live);
    await takeWordBack(host, standingOf(worded("u1")), "orphan");
    expect(written).toHaveLength(writes);
  });

  it("gives back a word that was there before", async () => {
    const { host, written } = hostWith(worded("u1", "orphan"));
    await takeWordBack(host, standingOf(worded("u1", "adopted")), "orphan");
    expect(written).toMatchObject([{ metadata: { annotations: { [CASCADE_DELETION_ANNOTATION]: "adopted" } } }]);
  });
});
