import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'
import { parse } from 'yaml'
import type { Repository } from '../generator/repository.ts'
import type { Source } from '../generator/types.ts'
import type { Enum, Field, File, HttpRule, Image, Message, Method, Service } from './descriptors.ts'

/** Field numbers of google/protobuf/descriptor.proto, which paths of comments are made of. */
const part = { message: 4, enum: 5, service: 6, field: 2, method: 2, value: 2, nested: 3, nestedEnum: 4 }

/** A message or an enum with the page that describes it. */
interface Declaration {
  file: File
  path: number[]
  /** Absent for an enum. */
  message?: Message
  enumeration?: Enum
}

/** Returns a page for each package of the wire contract with calls that the gateway serves. */
export function apiPages(sources: Repository): Source[] {
  const image = readImage(sources)
  const open = pageServices(sources)
  const declarations = declare(image)
  const files = image.file.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  return files.flatMap((file) => {
    const services = (file.service ?? []).filter((service) => isPublic(file, service, open))
    if (services.length === 0) return []
    const name = nameOf(file)
    return [
      {
        path: `reference/api/${name}.html`,
        title: name,
        file: place(file),
        about: `Calls of hawser.${name}: requests, responses and their fields.`,
        markdown: new Reference(file, declarations).page(services),
      },
    ]
  })
}

/** Returns the name of a proto file without its folder, such as "names". */
const nameOf = (file: File) => file.name.split('/').at(-1)?.replace('.proto', '') ?? ''

/** Returns the path that links to the page of a proto file use; it is beside the written pages. */
const place = (file: File) => `docs/reference/api/${nameOf(file)}.md`

function readImage(sources: Repository): Image {
  const buf = posix.join(sources.root, 'node_modules/.bin/buf')
  const json = execFileSync(buf, ['build', '-o', '-#format=json'], {
    cwd: sources.root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  return JSON.parse(json)
}

/** Returns the full names of the services that pages call by RPC: those of the client for TypeScript. */
function pageServices(sources: Repository): Set<string> {
  const template = parse(sources.text('buf.gen.ts.yaml')) as { inputs: { types: string[] }[] }
  return new Set(template.inputs.flatMap(({ types }) => types))
}

/**
 * Reports whether the gateway serves a service. Services that only processes of the suite call are not
 * public.
 */
function isPublic(file: File, service: Service, open: ReadonlySet<string>): boolean {
  const isRest = (service.method ?? []).some(({ options }) => options?.['[google.api.http]'])
  return file.package.startsWith('hawser.') && (isRest || open.has(`${file.package}.${service.name}`))
}

/** Finds every message and enum by its full name. */
function declare(image: Image): Map<string, Declaration> {
  const found = new Map<string, Declaration>()
  const visit = (file: File, scope: string, message: Message, path: number[]) => {
    const name = `${scope}.${message.name}`
    found.set(name, { file, path, message })
    message.nestedType?.forEach((nested, index) => {
      visit(file, name, nested, [...path, part.nested, index])
    })
    message.enumType?.forEach((enumeration, index) => {
      found.set(`${name}.${enumeration.name}`, { file, path: [...path, part.nestedEnum, index], enumeration })
    })
  }
  for (const file of image.file) {
    const scope = `.${file.package}`
    file.messageType?.forEach((message, index) => {
      visit(file, scope, message, [part.message, index])
    })
    file.enumType?.forEach((enumeration, index) => {
      found.set(`${scope}.${enumeration.name}`, { file, path: [part.enum, index], enumeration })
    })
  }
  return found
}

/** Writes the page of one proto file. */
class Reference {
  readonly file: File
  readonly declarations: ReadonlyMap<string, Declaration>
  /** Messages that the calls of the page use, in the order of their first use. */
  readonly used = new Set<string>()

  constructor(file: File, declarations: ReadonlyMap<string, Declaration>) {
    this.file = file
    this.declarations = declarations
  }

  page(services: readonly Service[]): string {
    const calls = services.map((service) => this.service(service))
    const types: string[] = []
    // Describing a type can add more types to the list.
    for (const name of this.used) types.push(this.declaration(name))
    const about = comment(this.file, [2]).replace(/^Package (\w+) /, 'The package `$1` ')
    return [
      `# ${nameOf(this.file)}`,
      about,
      ...calls,
      ...(types.length > 0 ? ['## Types', ...types] : []),
    ].join('\n\n')
  }

  service(service: Service): string {
    const index = this.file.service?.indexOf(service) ?? 0
    const path = [part.service, index]
    const calls = (service.method ?? []).map((method, at) =>
      this.call(service, method, [...path, part.method, at]),
    )
    return [`## ${service.name}`, comment(this.file, path), ...calls].join('\n\n')
  }

  call(service: Service, method: Method, path: number[]): string {
    const rule = method.options?.['[google.api.http]']
    const lines = [
      ...(rule ? paths(rule) : []),
      `${method.serverStreaming ? 'stream ' : ''}/${this.file.package}.${service.name}/${method.name}`,
    ]
    return [
      `### ${method.name}`,
      comment(this.file, path),
      `\`\`\`\n${lines.join('\n')}\n\`\`\``,
      `**Request**`,
      this.fields(method.inputType),
      `**Response**${method.serverStreaming ? ', each message of the stream' : ''}`,
      this.fields(method.outputType),
    ].join('\n\n')
  }

  /** Returns the fields of a message as a table. */
  fields(name: string): string {
    const found = this.declarations.get(name)
    if (!found?.message) return `\`${name.slice(1)}\``
    const { file, path, message } = found
    const rows = (message.field ?? []).map((field, index) => {
      const required = field.options?.['[google.api.field_behavior]']?.includes('REQUIRED')
        ? ', required'
        : ''
      return `| \`${field.jsonName}\` | ${this.type(field)}${required} | ${cell(comment(file, [...path, part.field, index]))} |`
    })
    if (rows.length === 0) return 'Nothing.'
    return ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n')
  }

  type(field: Field): string {
    const list = field.label === 'LABEL_REPEATED' ? 'list of ' : ''
    if (field.typeName === undefined) return `${list}${field.type.replace('TYPE_', '').toLowerCase()}`
    const found = this.declarations.get(field.typeName)
    if (found?.message?.options?.mapEntry) {
      const [, value] = found.message.field ?? []
      return value ? `map of ${this.type(value)}` : 'map'
    }
    const short = field.typeName.replace(/^\.(?:hawser\.\w+\.v1|google\.protobuf)\./, '')
    if (!found?.file.package.startsWith('hawser.')) return `${list}${short}`
    this.used.add(field.typeName)
    return `${list}[${short}](#${anchor(short)})`
  }

  declaration(name: string): string {
    const found = this.declarations.get(name)
    if (!found) return ''
    const title = `### ${name.replace(/^\.hawser\.\w+\.v1\./, '')}`
    const about = comment(found.file, found.path)
    if (found.message) return [title, about, this.fields(name)].join('\n\n')
    const values = (found.enumeration?.value ?? []).map(
      (value, index) =>
        `| \`${value.name}\` | ${cell(comment(found.file, [...found.path, part.value, index]))} |`,
    )
    return [title, about, ['| value | meaning |', '|---|---|', ...values].join('\n')].join('\n\n')
  }
}

/** Returns the id that the page gives a heading. */
function anchor(name: string): string {
  return name.toLowerCase().replaceAll('.', '')
}

function paths(rule: HttpRule): string[] {
  const [method, path] = (['get', 'post', 'put', 'delete', 'patch'] as const)
    .map((method) => [method, rule[method]] as const)
    .find(([, path]) => path) ?? ['get', '']
  return [`${method.toUpperCase()} ${path}`, ...(rule.additionalBindings ?? []).flatMap(paths)]
}

/** Returns the comment of a declaration as Markdown. */
function comment(file: File, path: readonly number[]): string {
  const key = path.join('.')
  const location = file.sourceCodeInfo?.location?.find((location) => location.path?.join('.') === key)
  const text = location?.leadingComments ?? location?.trailingComments ?? ''
  const lines = text.split('\n').map((line) => line.replace(/^ /, ''))
  // A line that begins a sentence is a paragraph.
  return lines.join('\n').trim().replaceAll('<', '&lt;').replaceAll('.\n', '.\n\n')
}

/** Returns text for a cell of a table. */
function cell(text: string): string {
  return text.replaceAll(/\n+/g, ' ').replaceAll('|', '\\|')
}
