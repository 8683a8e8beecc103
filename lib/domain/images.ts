// What are the parts of an image reference, and what does an image override make of them?

/** An image reference in the parts that an override can name. Absent parts are `undefined`. */
export interface ImageParts {
  /** Host and port, such as `registry.example:5000`. */
  readonly registry?: string;
  readonly repository: string;
  readonly tag?: string;
  /** With its algorithm: `sha256:…`. */
  readonly digest?: string;
}

/** One rule of an OverridePolicy's `imageOverrider`, without its predicate. */
export interface ImageOverride {
  readonly component: "Registry" | "Repository" | "Tag";
  readonly operator: "add" | "remove" | "replace";
  readonly value?: string;
}

// Grammar: the reference format of the OCI distribution specification.
const REPOSITORY = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const REGISTRY = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[0-9a-fA-F:.]+\])(?::[0-9]+)?$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;

/** Splits an image reference. Throws an Error that says which part is wrong; {@link formatImage} is the inverse. */
export function parseImage(image: string): ImageParts {
  const at = image.indexOf("@");
  const digest = at < 0 ? undefined : image.slice(at + 1);
  const named = at < 0 ? image : image.slice(0, at);
  // A colon before the last slash belongs to a registry's port.
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  const { registry, repository } = splitName(colon < 0 ? named : named.slice(0, colon));
  return checked({ registry, repository, tag, digest });
}

/** Puts the parts together again. */
export function formatImage({ registry, repository, tag, digest }: ImageParts): string {
  const name = registry ? `${registry}/${repository}` : repository;
  return `${name}${tag ? `:${tag}` : ""}${digest ? `@${digest}` : ""}`;
}

/**
 * The image after one override. `add` puts the value at the end of the part, `replace` sets it, `remove` clears it. The
 * part `Tag` is tag and digest together: a new tag takes the digest away, since a digest always wins over a tag.
 * Throws an Error for an image or a result that is no valid reference. Source: spec/karmada 6.
 */
export function applyImageOverride(image: string, override: ImageOverride): string {
  const parts = parseImage(image);
  if (override.operator !== "remove" && !override.value) {
    throw new Error(`${override.operator} of ${override.component} needs a value`);
  }
  return formatImage(checked(overrideParts(parts, override)));
}

function overrideParts(parts: ImageParts, { component, operator, value = "" }: ImageOverride): ImageParts {
  const changed = (old = "") => (operator === "remove" ? undefined : operator === "add" ? old + value : value);
  switch (component) {
    case "Registry":
      return { ...parts, registry: changed(parts.registry) };
    case "Repository":
      return { ...parts, repository: changed(parts.repository) ?? "" };
    case "Tag":
      if (operator === "add") return addToTag(parts, value);
      return { ...parts, ...(operator === "remove" ? NO_VERSION : parseVersion(value)) };
  }
}

const NO_VERSION = { tag: undefined, digest: undefined };

function addToTag(parts: ImageParts, value: string): ImageParts {
  if (!isDigest(value)) {
    if (!parts.tag && parts.digest) throw new Error(`cannot add ${value} to the digest ${parts.digest}; use replace`);
    return { ...parts, tag: `${parts.tag ?? ""}${value}`, digest: undefined };
  }
  if (parts.digest) throw new Error(`cannot add ${value} to the digest ${parts.digest}; use replace`);
  return { ...parts, digest: value };
}

function parseVersion(value: string): Pick<ImageParts, "tag" | "digest"> {
  if (isDigest(value)) return { tag: undefined, digest: value };
  const [tag, digest] = value.split("@", 2);
  return { tag, digest };
}

function isDigest(value: string): boolean {
  return DIGEST.test(value);
}

// The first part is a registry only if it could not be a directory: a dot, a port, a capital, or localhost.
function splitName(name: string): Pick<ImageParts, "registry" | "repository"> {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const isRegistry = /[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase();
  return isRegistry ? { registry: first, repository: name.slice(slash + 1) } : { repository: name };
}

function checked(parts: ImageParts): ImageParts {
  const image = JSON.stringify(formatImage(parts));
  const check = (part: string, value: string | undefined, pattern: RegExp) => {
    if (value !== undefined && !pattern.test(value)) {
      throw new Error(`${image} is not an image reference: ${part} ${JSON.stringify(value)} is not valid`);
    }
  };
  check("registry", parts.registry, REGISTRY);
  check("repository", parts.repository, REPOSITORY);
  check("tag", parts.tag, TAG);
  check("digest", parts.digest, DIGEST);
  return parts;
}
