import { type BundlerClient, createBundlerClient, createNode, type Node } from '@hawser/vault'

/** How a page of the frame's origin reaches the networks. */
export interface Network {
  readonly projectId: string
  readonly node: Node
  readonly bundler: BundlerClient
}

/** Creates the clients of a project. */
export function createNetwork(projectId: string): Network {
  const calls = { projectId, fetch: (...args: Parameters<typeof fetch>) => fetch(...args) }
  return { projectId, node: createNode(calls), bundler: createBundlerClient(calls) }
}
