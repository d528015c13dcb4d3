// Generates docs/configuration.md and deploy/cotton-farm.env from the table of settings in server/platform/settings.ts.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatCotton } from '../game/cotton.ts'
import { SECTIONS } from '../server/platform/settings.ts'

/** @typedef {import('../server/platform/setting.ts').Setting<unknown>} AnySetting */

/** The text of docs/configuration.md. */
export function writeConfiguration() {
  const sections = SECTIONS.map(({ title, before, settings, after }) =>
    [`## ${title}`, before, tableOf(settings), after].filter((part) => part !== undefined).join('\n\n'),
  )
  return `# Configuration

The game reads its settings from environment variables. All of them are optional for \`npm start\` on a local chain. An
empty variable counts as unset. An invalid value stops the start with one sentence that names the variable.

\`npm start\` passes each role only the settings that it reads. The column "Roles" names them for roles that you start one
by one; \`npm run ops -- env <role>\` prints them.

To run several games on one machine, give each its own ports, its own \`DATA_DIR\`, and its own checkout if their \`PUBLIC_URL\`
differs: the built pages contain it, and each start would replace those of the other game.

\`npm run docs:configuration\` generates this page from the table that the program reads, \`server/platform/settings.ts\`.

${sections.join('\n\n')}
`
}

/** @param {Record<string, AnySetting>} settings */
function tableOf(settings) {
  const rows = Object.entries(settings).map(
    ([name, setting]) =>
      `| \`${name}\` | ${defaultOf(setting)} | ${setting.roles.join(', ')} | ${setting.description} |`,
  )
  return ['| Setting | Default | Roles | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** @param {AnySetting} setting */
function defaultOf({ default: value, defaultText }) {
  if (defaultText !== undefined) return defaultText
  if (typeof value === 'string') return `\`${value}\``
  if (typeof value !== 'bigint') return String(value)
  const amount = /** @type {import('../game/cotton.ts').Cotton} */ (value)
  return formatCotton(amount).replaceAll(',', '')
}

/** The text of deploy/cotton-farm.env: every setting, commented out, with its default. */
export function writeEnvironmentSample() {
  const sections = SECTIONS.map(({ title, settings }) =>
    [`# ${title}`, ...Object.entries(settings).map(sampleOf)].join('\n\n'),
  )
  return `# The settings of Cotton Farm. Remove the # of a line to set it. docs/configuration.md explains them.

${sections.join('\n\n')}
`
}

/** @param {[string, AnySetting]} row */
function sampleOf([name, setting]) {
  const [firstSentence = ''] = setting.description.split(/(?<=\.) /)
  const value = setting.defaultText === undefined ? defaultOf(setting).replaceAll('`', '') : ''
  return `# ${firstSentence.replace(/\[(.*?)\]\(.*?\)/g, '$1').replaceAll('`', '')}\n#${name}=${value}`
}

if (import.meta.main) {
  writeFileSync(resolve(import.meta.dirname, '../deploy/cotton-farm.env'), writeEnvironmentSample())
  writeFileSync(resolve(import.meta.dirname, '../docs/configuration.md'), writeConfiguration())
}
