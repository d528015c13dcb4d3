import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#server/processes/ports.ts'
import type { DebianProgram } from '#tests/deploy/debian-program.ts'
import { waitFor } from './run-server.ts'

type Result = { metric: Record<string, string>; value: [number, string] }

export type TestPrometheus = {
  /** The samples of an instant query. Throws if Prometheus refuses it. */
  query(expr: string): Promise<Result[]>
  /** The names of the alerts that fire now. */
  firing(): Promise<Set<string>>
  stop(): Promise<void>
}

type Options = { targets: Record<string, string>; rules: string; intervalMs: number }

/** Starts a Prometheus that scrapes `targets` (address by role) and evaluates `rules`. */
export async function startPrometheus(
  program: DebianProgram,
  { targets, rules, intervalMs }: Options,
): Promise<TestPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-prometheus-'))
  const port = await findFreePort()
  const interval = `${intervalMs}ms`
  // JSON is YAML.
  const config = {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: interval },
    rule_files: ['rules.yml'],
    scrape_configs: [
      {
        job_name: 'cotton-farm',
        static_configs: Object.entries(targets).map(([role, address]) => ({
          targets: [address],
          labels: { role },
        })),
      },
    ],
  }
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  writeFileSync(join(folder, 'rules.yml'), rules)
  const args = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--query.lookback-delta=5s',
  ]
  const child = spawn(program.path, args, { env: program.env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await waitFor('Prometheus', () => isReady(url, child))
  const read = async (path: string) => {
    const answer = (await (await fetch(`${url}/api/v1/${path}`)).json()) as {
      status: string
      error?: string
      data: { result: Result[]; alerts: { state: string; labels: { alertname: string } }[] }
    }
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`)
    return answer.data
  }
  return {
    query: async (expr) => (await read(`query?query=${encodeURIComponent(expr)}`)).result,
    async firing() {
      const { alerts } = await read('alerts')
      return new Set(alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname))
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`Prometheus ended with code ${child.exitCode}.`)
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}
