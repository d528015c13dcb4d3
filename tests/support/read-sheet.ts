import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the web app. */
export const WEB = join(import.meta.dirname, '../../web')

/** A style sheet, by its path in `web/`. */
export const readSheet = (sheet: string): string => readFileSync(join(WEB, sheet), 'utf8')

/** The declarations of the first rule with this selector, or '' if the sheet has none. */
export const readRule = (sheet: string, selector: string): string =>
  readSheet(sheet).split(`  ${selector} {`)[1]?.split('}')[0] ?? ''
