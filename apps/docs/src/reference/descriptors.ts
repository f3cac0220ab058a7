/** The parts of a buf image (google.protobuf.FileDescriptorSet in JSON) that the reference reads. */
export interface Image {
  file: File[]
}

export interface File {
  name: string
  package: string
  messageType?: Message[]
  enumType?: Enum[]
  service?: Service[]
  sourceCodeInfo?: { location?: Location[] }
}

/** Comments of a declaration; its path has field numbers of descriptors and indices. */
interface Location {
  path?: number[]
  leadingComments?: string
  trailingComments?: string
}

export interface Message {
  name: string
  field?: Field[]
  nestedType?: Message[]
  enumType?: Enum[]
  options?: { mapEntry?: boolean }
}

export interface Field {
  name: string
  jsonName: string
  label: 'LABEL_OPTIONAL' | 'LABEL_REQUIRED' | 'LABEL_REPEATED'
  type: string
  /** Full name of a message or an enum, with a dot before it. */
  typeName?: string
  proto3Optional?: boolean
  options?: { '[google.api.field_behavior]'?: string[] }
}

export interface Enum {
  name: string
  value?: { name: string; number?: number }[]
}

export interface Service {
  name: string
  method?: Method[]
}

export interface Method {
  name: string
  inputType: string
  outputType: string
  serverStreaming?: boolean
  clientStreaming?: boolean
  options?: { '[google.api.http]'?: HttpRule }
}

/** How a call is made over REST. */
export interface HttpRule {
  get?: string
  post?: string
  put?: string
  delete?: string
  patch?: string
  additionalBindings?: HttpRule[]
}
