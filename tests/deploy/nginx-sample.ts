import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasIPv6 } from '#tests/support/has-ipv6.ts'

const SAMPLE = resolve(import.meta.dirname, '../../deploy/proxy/nginx.conf')

/**
 * Writes a configuration with the sample into a folder, with the ports of a test and without TLS. Returns the arguments of
 * nginx.
 */
export function writeNginxSample(
  folder: string,
  { own, apis }: { own: number; apis: readonly number[] },
): string[] {
  const site = readFileSync(SAMPLE, 'utf8')
    .replace(/^ *ssl_certificate.*\n/gm, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${own};`)
    .replace('listen [::]:443 ssl http2;', hasIPv6 ? `listen [::1]:${own};` : '')
    .replace(
      /^ *server 127\.0\.0\.1:3001(.*)$/gm,
      apis.map((port) => `server 127.0.0.1:${port}$1`).join('\n'),
    )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/nginx-${name};`)
    .join('\n')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${user} daemon off; error_log stderr crit; events {}\npid ${folder}/nginx.pid;\nhttp {\naccess_log off;\n${temporary}\n${site}}\n`,
  )
  return ['-p', folder, '-e', 'stderr', '-c', file]
}
