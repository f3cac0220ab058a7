import { create } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { AdminProjectSchema } from '../../gen/hawser/admin/v1/projects_pb.ts'
import { createRequestOf, draftOf, emptyDraft, originsOf, problemsOf, updateRequestOf } from './draft.ts'

const project = create(AdminProjectSchema, {
  id: '0'.repeat(32),
  name: 'Shop',
  allowedOrigins: ['https://shop.example', 'https://*.shop.example'],
  requestsPerSecond: 20,
  burst: 100,
  changedAt: 7n,
})

describe('a new project', () => {
  it('answers every origin only when that was chosen', () => {
    expect(problemsOf({ ...emptyDraft, name: 'Shop' })).toHaveProperty('origins')
    expect(problemsOf({ ...emptyDraft, name: 'Shop', anyOrigin: true })).toEqual({})
    expect(createRequestOf({ ...emptyDraft, name: ' Shop ', anyOrigin: true })).toEqual({
      name: 'Shop',
      origins: { patterns: [] },
    })
  })

  it('has each origin once, without the slash of a pasted address', () => {
    const origins = ' https://shop.example/\nhttps://shop.example, http://localhost:3000 '
    expect(originsOf({ ...emptyDraft, origins })).toEqual(['https://shop.example', 'http://localhost:3000'])
  })

  it('names an origin that is none', () => {
    for (const origins of ['shop.example', 'https://shop.example/cart', 'https://a@b.example'])
      expect(problemsOf({ ...emptyDraft, name: 'Shop', origins }).origins).toContain(origins)
  })

  it('has a rate that the server takes', () => {
    const draft = { ...emptyDraft, name: 'Shop', anyOrigin: true }
    expect(problemsOf({ ...draft, rate: '2.5', burst: '10' })).toEqual({})
    expect(Object.keys(problemsOf({ ...draft, rate: '-1', burst: '1.5' }))).toEqual(['rate', 'burst'])
    expect(Object.keys(problemsOf({ ...draft, rate: '', burst: '5' }))).toEqual(['burst'])
    expect(Object.keys(problemsOf({ ...draft, rate: '1e9' }))).toEqual(['rate'])
  })
})

describe('a change', () => {
  it('has only what differs, and what it is based on', () => {
    const draft = { ...draftOf(project), name: 'Store' }
    expect(updateRequestOf(project, draft)).toEqual({ id: project.id, changedAt: 7n, name: 'Store' })
  })

  it('is none for a draft that was not touched', () => {
    expect(updateRequestOf(project, draftOf(project))).toBeUndefined()
  })

  it('can remove the rate and the list of origins', () => {
    const draft = { ...draftOf(project), rate: '', burst: '', anyOrigin: true }
    expect(updateRequestOf(project, draft)).toEqual({
      id: project.id,
      changedAt: 7n,
      origins: { patterns: [] },
      rate: { requestsPerSecond: 0, burst: 0 },
    })
  })
})
