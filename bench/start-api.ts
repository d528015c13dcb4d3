import { type Child, startChild } from './start-child.ts'
import type { Run } from './suite.ts'

type Options = { apiUrl: string; env?: Record<string, string>; execArgv?: string[] } & Pick<Run, 'closers'>

/** Starts the product's api in a child process. Its `hello` is its URL. */
export async function startApi({
  apiUrl,
  env = {},
  execArgv = [],
  closers,
}: Options): Promise<Child<string>> {
  const child = await startChild<string>(new URL('./serve-api.ts', import.meta.url), {
    env: { DATABASE_URL: apiUrl, ...env },
    execArgv,
  })
  closers.push(() => child.stop())
  return child
}

/** Starts two: the product's api, and one without batching. */
export async function startBothApis(
  options: Options,
): Promise<{ batched: Child<string>; unbatched: Child<string> }> {
  const batched = await startApi(options)
  const unbatched = await startApi({ ...options, env: { ...options.env, BENCH_UNBATCHED: '1' } })
  return { batched, unbatched }
}
