import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

const Package = z.object({ version: z.string() })

/** The version of this program. */
export function readRelease(): string {
  const path = join(import.meta.dirname, '../../package.json')
  return Package.parse(JSON.parse(readFileSync(path, 'utf8'))).version
}
