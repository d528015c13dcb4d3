import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hasIPv6 } from './has-ipv6.ts'

const SAMPLE = resolve(import.meta.dirname, '../../deploy/proxy/haproxy.cfg')

/** HAProxy of Debian 12, and what it needs. */
export const HAPROXY_PACKAGES = ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1']

/** A sample of HAProxy for a test, whose user may not become another one. */
export const withoutUser = (sample: string): string => sample.replace(/^ *(?:user|group|chroot) .*\n/gm, '')

/** The sample of a proxy with the ports of a test. */
export const haproxySample = ({ own, apis }: { own: number; apis: readonly number[] }): string =>
  withoutUser(readFileSync(SAMPLE, 'utf8'))
    .replace(/bind :443 .*/, `bind 127.0.0.1:${own}`)
    .replace(/bind :::443 .*/, hasIPv6 ? `bind [::1]:${own}` : '')
    .replaceAll(/^ *server api1 \S+(.*)$/gm, (_all, options: string) =>
      apis
        .map((port, at) => `    server api${at} 127.0.0.1:${port}${options.replace('api1', `api${at}`)}`)
        .join('\n'),
    )
