import { type ChildProcess, fork } from 'node:child_process'

export type Child<Hello> = {
  /** Its first message, sent when it is ready. */
  hello: Hello
  pid: number
  /** Sends a message and returns the next one from the child. */
  ask<Answer>(question: object): Promise<Answer>
  /** Disconnects and waits for its exit. */
  stop(): Promise<void>
}

// After this time it is killed.
const STOP_MS = 10_000

type StartOptions = { args?: string[]; env?: Record<string, string>; execArgv?: string[] }

/** Starts a module in a child process and waits for its first message. */
export async function startChild<Hello>(
  file: URL,
  { args = [], env = {}, execArgv = [] }: StartOptions = {},
): Promise<Child<Hello>> {
  const child = fork(file, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    execArgv,
    serialization: 'advanced',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    hello: await nextMessage<Hello>(child),
    pid: child.pid!,
    ask<Answer>(question: object) {
      const answer = nextMessage<Answer>(child)
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

function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${child.spawnargs.at(-1)} ended early`))
    child.once('exit', fail)
    child.once('message', (message) => {
      child.off('exit', fail)
      resolve(message as Message)
    })
  })
}
