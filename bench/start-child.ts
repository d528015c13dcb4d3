import { type ChildProcess, fork } from 'node:child_process'

export type Child<Hello> = {
  /** What it said when it was ready. */
  hello: Hello
  pid: number
  /** Asks for something, and gives the next thing that it says. */
  ask<Answer>(question: object): Promise<Answer>
  /** Lets it go, and waits for its end. */
  stop(): Promise<void>
}

// Whoever is not gone by then waits for something that never comes.
const STOP_MS = 10_000

type StartOptions = { env?: Record<string, string>; execArgv?: string[] }

/** Starts a program of the benchmark in a process of its own; it says hello when it is ready. */
export async function startChild<Hello>(
  file: URL,
  { env = {}, execArgv = [] }: StartOptions = {},
): Promise<Child<Hello>> {
  const child = fork(file, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    execArgv,
    serialization: 'advanced',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    hello: await nextWord<Hello>(child),
    pid: child.pid!,
    ask<Answer>(question: object) {
      const answer = nextWord<Answer>(child)
      child.send(question)
      return answer
    },
    async stop() {
      if (child.connected) child.disconnect()
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(limit)
    },
  }
}

function nextWord<Word>(child: ChildProcess): Promise<Word> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${child.spawnargs.at(-1)} ended early`))
    child.once('exit', fail)
    child.once('message', (word) => {
      child.off('exit', fail)
      resolve(word as Word)
    })
  })
}
