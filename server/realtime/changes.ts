import { assert } from '#server/platform/assert.ts'
import type { Log } from '#server/platform/log.ts'
import { createOutageLog } from '#server/platform/outage-log.ts'
import { type NotifyBus, openNotifyBus } from './notify-bus.ts'

/** Something that everybody reads and that some calls change. */
export type ChangeSource = {
  /** Reads from the database what has changed, and gives the names of the channels that have something to say. */
  refresh(): Promise<Iterable<string>>
}

export type Changes = {
  /**
   * Something of these subjects was committed. Never called inside a transaction, nor for what only one player sees.
   * Resolves when this process serves it; other processes and all sockets follow. Never rejects: what could not be
   * read now is read a moment later.
   */
  publish(...sourceNames: string[]): Promise<void>
  /**
   * The same of one subject, where the call's own answer told this process what changed: the channels that have
   * something to say; null where it has to be read after all.
   */
  publishApplied(name: string, channels: Iterable<string> | null): Promise<void>
  stop(): Promise<void>
}

type ChangesOptions = {
  sources: ReadonlyMap<string, ChangeSource>
  /** Told the channels that have something to say. */
  announce(channel: string): void
  /** The database whose processes share their news; null for a process on its own. */
  busDatabaseUrl: string | null
  log: Log
}

// A hint may be lost with the connection or the process that had it; nobody is behind for longer than this.
const POLL_MS = 1_500

/** Keeps what everybody reads up to date in this process, and tells the other processes on the same database. */
export function openChanges({ sources, announce, busDatabaseUrl, log }: ChangesOptions): Changes {
  const refreshers = new Map(
    [...sources].map(([name, source]) => {
      const reading = createOutageLog(log, { reading: name })
      const refresh = async () => {
        try {
          for (const channel of await source.refresh()) announce(channel)
          reading.recordSuccess()
        } catch (error) {
          reading.recordFailure(error)
        }
      }
      return [name, coalesceRuns(refresh)]
    }),
  )
  const refresh = async (sourceNames: Iterable<string>) => {
    await Promise.all([...sourceNames].map((name) => refreshers.get(name)?.()))
  }
  const refreshAll = () => void refresh(refreshers.keys())
  const bus: NotifyBus | null =
    busDatabaseUrl === null
      ? null
      : openNotifyBus({
          url: busDatabaseUrl,
          log,
          receive: (sourceNames) => void refresh(sourceNames),
          connected: refreshAll,
        })
  const pollTimer = setInterval(refreshAll, POLL_MS).unref()

  const notifyOthers = (sourceNames: readonly string[]) => {
    assert(
      sourceNames.every((name) => refreshers.has(name)),
      `all of ${sourceNames.join(', ')} are topics`,
    )
    bus?.publish(sourceNames)
  }

  return {
    async publish(...sourceNames) {
      notifyOthers(sourceNames)
      await refresh(sourceNames)
    },
    async publishApplied(name, channels) {
      notifyOthers([name])
      if (channels === null) return refresh([name])
      for (const channel of channels) announce(channel)
    },
    async stop() {
      clearInterval(pollTimer)
      await bus?.stop()
    },
  }
}

/**
 * Runs `work` one at a time. A call during a run gets the next run, which all others that wait share: whatever was
 * committed before the call is read.
 */
function coalesceRuns(work: () => Promise<void>): () => Promise<void> {
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
