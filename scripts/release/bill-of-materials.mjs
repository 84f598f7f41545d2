import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A software bill of materials in CycloneDX 1.6: the bundled packages and those that npm installs with this one, each with its licence
 * and the hash of package-lock.json. It has no date and no random number, so equal builds have equal bills.
 * @param {string} root folder of the checkout
 * @param {readonly string[]} bundled folders of the bundled packages
 */
export function billOfMaterials(root, bundled) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  // As the lock file names them. node_modules may be a link, so a path need not begin with the root.
  const ofBundled = bundled.map((path) => path.slice(path.indexOf('/node_modules/') + 1));
  const places = [...ofBundled, ...installedWith(lock, manifest.dependencies)];
  const components = [...new Set(places)].map((place) => component(root, place, lock)).toSorted(byRef);
  const self = {
    type: 'application',
    'bom-ref': `pkg:npm/${manifest.name}@${manifest.version}`,
    name: manifest.name,
    version: manifest.version,
    licenses: [{ expression: manifest.license }],
    purl: `pkg:npm/${manifest.name}@${manifest.version}`,
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: self },
    components,
    dependencies: [{ ref: self['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
  };
}

/** The places of the packages that npm installs for some dependencies, with theirs. */
function installedWith(lock, dependencies = {}, found = new Set()) {
  for (const name of Object.keys(dependencies)) {
    const place = `node_modules/${name}`;
    if (found.has(place)) continue;
    found.add(place);
    installedWith(lock, lock[place].dependencies, found);
  }
  return found;
}

function component(root, place, lock) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'));
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const hash = /^sha512-(.+)$/.exec(lock[place]?.integrity ?? '')?.[1];
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    licenses: [{ expression: license }],
    purl,
    ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  };
}

function byRef(a, b) {
  return a['bom-ref'] < b['bom-ref'] ? -1 : 1;
}
