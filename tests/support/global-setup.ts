import { createAddressTemplate } from './address-template.ts'
import { startTestPostgres } from './test-postgres.ts'

/** Vitest calls this once per run, before the first test file; the function that it returns runs after the last. */
export async function setup(): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres()
  await createAddressTemplate()
  return () => postgres.stop()
}
