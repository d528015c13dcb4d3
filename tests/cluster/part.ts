import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from './programs.ts'

type PartOptions = {
  name: string
  program: Program
  args?: readonly string[]
  env?: Record<string, string>
  cwd: string
  /** Where its output is written, to a file with its name. */
  logs: string
  user?: { uid?: number | undefined; gid?: number | undefined }
  /** A command that runs it in another network as that user. */
  enter?: readonly string[]
}

/** One process of a cluster, which can be started again after it ended. */
export class Part {
  readonly name: string
  readonly #options: PartOptions
  #child: ChildProcess | undefined

  constructor(options: PartOptions) {
    this.name = options.name
    this.#options = options
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  start(): void {
    if (this.isRunning) return
    const { name, program, args = [], env = {}, cwd, logs, user = {}, enter } = this.#options
    const output = openSync(join(logs, `${name}.log`), 'a')
    const [command = program.command, ...before] = enter ?? []
    const own = [...(enter ? [program.command] : []), ...program.args, ...args]
    this.#child = spawn(command, [...before, ...own], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, ...program.env, ...env },
      stdio: ['ignore', output, output],
      ...(enter || user.uid === undefined ? {} : { uid: user.uid }),
      ...(enter || user.gid === undefined ? {} : { gid: user.gid }),
    })
  }

  /** The last lines that it wrote. */
  lastWords(): string {
    const file = join(this.#options.logs, `${this.name}.log`)
    return readFileSync(file, { encoding: 'utf8', flag: 'a+' }).trim().split('\n').slice(-5).join('\n')
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isRunning) this.#child?.kill(signal)
  }

  /** Ends the process, and kills it if it has not ended after `limitMs`. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', limitMs = 15_000): Promise<void> {
    const child = this.#child
    if (!child || !this.isRunning) return
    const ended = once(child, 'exit')
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), limitMs)
    await ended
    clearTimeout(late)
  }
}
