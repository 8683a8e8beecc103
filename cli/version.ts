// Which version is this?
import packageJson from "../package.json" with { type: "json" };

/** The version in package.json. */
export function version(): string {
  return packageJson.version;
}
