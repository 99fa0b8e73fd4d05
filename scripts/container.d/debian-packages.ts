/** A file of Debian's archive that goes into the container, as it was when this was written: the same commit makes the same bytes. */
export interface DebianPackage {
  readonly name: string;
  /** Its address, and the SHA-256 that Debian's signed lists give it. */
  readonly url: string;
  readonly sha256: string;
}

export const architectures = ["amd64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

const DEBIAN = "http://deb.debian.org/debian";

/** To take newer ones: `apt-get update`, then file name and SHA-256 of `apt-cache show libc6 ca-certificates`. */
export const debianPackages: Readonly<Record<Architecture, readonly DebianPackage[]>> = {
  amd64: [
    {
      name: "libc6",
      url: `${DEBIAN}/pool/main/g/glibc/libc6_2.36-9+deb12u14_amd64.deb`,
      sha256: "ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf",
    },
    certificates(),
  ],
  arm64: [
    {
      name: "libc6",
      url: `${DEBIAN}/pool/main/g/glibc/libc6_2.36-9+deb12u14_arm64.deb`,
      sha256: "01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4",
    },
    certificates(),
  ],
};

function certificates(): DebianPackage {
  return {
    name: "ca-certificates",
    url: `${DEBIAN}-security/pool/updates/main/c/ca-certificates/ca-certificates_20250419~deb12u2_all.deb`,
    sha256: "b9f76b5271a7ac373fd5e7e1b5b826a71ddd702b42a0d104955ecb1acfffc94b",
  };
}
