import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  parentPid: number
  /** The command line, with a space at the end. */
  command: string
}

/** Every running process of the machine, without zombies. */
export function listProcesses(): RunningProcess[] {
  return process.platform === 'linux' ? readProc() : readPs()
}

/** `/proc` instead of `ps`, which slim images lack. A zombie has an empty command line. */
function readProc(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const [, parentPid] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        return command ? [{ pid: Number(name), parentPid: Number(parentPid), command }] : []
      } catch {
        // The process exited between the two reads.
        return []
      }
    })
}

function readPs(): RunningProcess[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+([^Z]\S*)\s+(.*)$/.exec(line)
    return found ? [{ pid: Number(found[1]), parentPid: Number(found[2]), command: `${found[4]} ` }] : []
  })
}
