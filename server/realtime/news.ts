import { assert } from '#server/platform/assert.ts'
import type { Log } from '#server/platform/log.ts'
import { outage } from '#server/platform/outage.ts'
import { type Bridge, openBridge } from './bridge.ts'

/** Something that everybody reads and that some calls change. */
export type Subject = {
  /** Reads from the database what has changed, and gives the names of the channels that have something to say. */
  refresh(): Promise<Iterable<string>>
}

export type News = {
  /**
   * Something of these subjects was committed. Never called inside a transaction, nor for what only one player sees.
   * Resolves when this process serves it; other processes and all sockets follow. Never rejects: what could not be
   * read now is read a moment later.
   */
  changed(...names: string[]): Promise<void>
  /**
   * The same of one subject, where the call's own answer told this process what changed: the channels that have
   * something to say; null where it has to be read after all.
   */
  learned(name: string, channels: Iterable<string> | null): Promise<void>
  stop(): Promise<void>
}

type NewsOptions = {
  subjects: ReadonlyMap<string, Subject>
  /** Told the channels that have something to say. */
  announce(channel: string): void
  /** The database whose processes share their news; null for a process on its own. */
  sharedOn: string | null
  log: Log
}

// A hint may be lost with the connection or the process that had it; nobody is behind for longer than this.
const LOOK_AGAIN_MS = 1_500

/** Keeps what everybody reads up to date in this process, and tells the other processes on the same database. */
export function openNews({ subjects, announce, sharedOn, log }: NewsOptions): News {
  const refreshers = new Map(
    [...subjects].map(([name, subject]) => {
      const reading = outage(log, { reading: name })
      const refresh = async () => {
        try {
          for (const channel of await subject.refresh()) announce(channel)
          reading.works()
        } catch (error) {
          reading.failed(error)
        }
      }
      return [name, inTurns(refresh)]
    }),
  )
  const refresh = async (names: Iterable<string>) => {
    await Promise.all([...names].map((name) => refreshers.get(name)?.()))
  }
  const refreshAll = () => void refresh(refreshers.keys())
  const bridge: Bridge | null =
    sharedOn === null
      ? null
      : openBridge({ url: sharedOn, log, hear: (names) => void refresh(names), missed: refreshAll })
  const again = setInterval(refreshAll, LOOK_AGAIN_MS).unref()

  const tellOthers = (names: readonly string[]) => {
    assert(
      names.every((name) => refreshers.has(name)),
      `all of ${names.join(', ')} are subjects`,
    )
    bridge?.tell(names)
  }

  return {
    async changed(...names) {
      tellOthers(names)
      await refresh(names)
    },
    async learned(name, channels) {
      tellOthers([name])
      if (channels === null) return refresh([name])
      for (const channel of channels) announce(channel)
    },
    async stop() {
      clearInterval(again)
      await bridge?.stop()
    },
  }
}

/**
 * Runs `work` one at a time. A call during a run gets the next run, which all others that wait share: whatever was
 * committed before the call is read.
 */
function inTurns(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      running = work()
      return running
    })
    return next
  }
}
