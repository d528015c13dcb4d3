// Writes server/platform/db/schema.sql from the migrations, so that a reviewer sees the whole change.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshDatabase } from '../tests/support/database.ts'
import { startTestPostgres } from '../tests/support/test-postgres.ts'
import { dumpSchema } from '../server/platform/db/dump-schema.ts'
import { assertNode } from './assert-node.mjs'

assertNode()
const postgres = await startTestPostgres()
try {
  const { url } = await freshDatabase()
  writeFileSync(join(import.meta.dirname, '../server/platform/db/schema.sql'), await dumpSchema(url))
} finally {
  await postgres.stop()
}
