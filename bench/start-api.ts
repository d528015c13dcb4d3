import { type Child, startChild } from './start-child.ts'
import type { Course } from './suite.ts'

export type Wanted = {
  apiUrl: string
  env?: Record<string, string>
  /** What node is told before the program. */
  execArgv?: string[]
} & Pick<Course, 'closers'>

/** The product's api in a process of its own; what it says when it is ready is where it is reached. */
export async function startApi({ apiUrl, env = {}, execArgv = [], closers }: Wanted): Promise<Child<string>> {
  const child = await startChild<string>(new URL('./serve-api.ts', import.meta.url), {
    env: { DATABASE_URL: apiUrl, ...env },
    execArgv,
  })
  closers.push(() => child.stop())
  return child
}

/** Two of them: one that gathers as the product does, and one whose routes give each request a transaction of its own. */
export async function startBothApis(
  wanted: Wanted,
): Promise<{ gathering: Child<string>; alone: Child<string> }> {
  const gathering = await startApi(wanted)
  const alone = await startApi({ ...wanted, env: { ...wanted.env, BENCH_ALONE: '1' } })
  return { gathering, alone }
}
