import { describe, expect, it } from 'vitest'
import type { RecordKind } from './attributes.ts'
import { recordKinds, recordLength, recordLink, recordProblem, writtenRecords } from './attributes.ts'

const kindOf = (key: string) => recordKinds.find((kind) => kind.key === key) as RecordKind

describe('a record', () => {
  it.each([
    ['bio', '', undefined],
    ['bio', 'Sails on Sundays', undefined],
    ['bio', 'a'.repeat(255), undefined],
    ['bio', 'a'.repeat(256), 'tooLong'],
    ['bio', '⛵'.repeat(255), undefined],
    ['bio', 'two\nlines', 'hiddenLetters'],
    ['bio', 'turned \u202e around', 'hiddenLetters'],
    ['bio', '\u200b \u2060', 'hiddenLetters'],
    ['bio', '👩\u200d🚀', undefined],
    ['location', 'a'.repeat(65), 'tooLong'],
    ['url', 'https://example.org/a?b#c', undefined],
    ['url', 'http://example.org', undefined],
    ['avatar', 'ipfs://bafy/face.png', undefined],
    ['avatar', `eip155:1/erc721:0x${'ab'.repeat(20)}/7`, undefined],
    ['avatar', 'eip155:1/erc20:0xab/7', 'noPicture'],
    ['header', `eip155:1/erc721:0x${'ab'.repeat(20)}/7`, 'noLink'],
    ['url', 'example.org', 'noLink'],
    ['url', 'javascript:alert(1)', 'noLink'],
    ['url', 'data:text/html,hello', 'noLink'],
    ['url', 'https://me:secret@example.org', 'noLink'],
    ['url', 'https://', 'noLink'],
    ['url', 'https://two words.org', 'noLink'],
    ['url', `https://example.org/${'a'.repeat(500)}`, 'tooLong'],
    ['com.twitter', '@alice', undefined],
    ['com.github', 'alice-1', undefined],
    ['com.github', 'https://github.com/alice', 'noHandle'],
    ['com.github', 'two words', 'noHandle'],
  ])('%s %j is judged as the gateway would', (key, text, problem) => {
    expect(recordProblem(kindOf(key), text)).toBe(problem)
  })

  it('is as long as people count it, and a link as long as its bytes', () => {
    expect(recordLength(kindOf('bio'), ' ⛵a ')).toBe(2)
    expect(recordLength(kindOf('url'), 'https://é')).toBe(10)
  })

  it('is written without the spaces around it, and not at all when it is empty', () => {
    expect(writtenRecords({ bio: ' Sails ', url: ' ', email: 'alice@example.org' })).toEqual({
      bio: 'Sails',
      email: 'alice@example.org',
    })
  })
})

describe('the link of a record', () => {
  it.each([
    ['url', 'https://example.org', 'https://example.org'],
    ['url', 'ipfs://bafy', undefined],
    ['url', 'javascript:alert(1)', undefined],
    ['avatar', 'https://example.org/a.png', 'https://example.org/a.png'],
    ['avatar', `eip155:1/erc721:0x${'ab'.repeat(20)}/7`, undefined],
    ['com.github', '@alice', 'https://github.com/alice'],
    ['com.twitter', 'alice', 'https://x.com/alice'],
    ['com.reddit', '../../evil', undefined],
    ['com.discord', 'alice#1234', undefined],
    ['bio', 'https://example.org', undefined],
    ['unheard.of', 'https://example.org', undefined],
  ])('%s %j', (key, value, link) => {
    expect(recordLink(key, value)).toBe(link)
  })
})
