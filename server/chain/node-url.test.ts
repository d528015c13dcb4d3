import { expect, test } from 'vitest'
import { splitCredentials } from './node-url.ts'

const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })

test('user name and password of a node leave its URL for a header', () => {
  expect(splitCredentials('https://me:p%40ss@rpc.example/key?x=1')).toEqual({
    url: 'https://rpc.example/key?x=1',
    headers: basic('me:p@ss'),
  })
  expect(splitCredentials('https://me:50%@rpc.example')).toMatchObject({ headers: basic('me:50%') })
  expect(splitCredentials('https://me@rpc.example')).toMatchObject({ headers: basic('me:') })
})

test('a URL without them is left as it is', () => {
  const url = 'https://rpc.example/?api-key=a%2Fb'
  expect(splitCredentials(url)).toEqual({ url })
})
