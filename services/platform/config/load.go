package config

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
)

const (
	// EnvPrefix is the prefix of every variable that is a setting, unless [Options] have another one.
	EnvPrefix = "HAWSER_"
	// EnvFile names the variable with the configuration file's path.
	EnvFile = EnvPrefix + envFile
	envFile = "CONFIG"
)

// Options are the sources of the values.
type Options struct {
	// Flags receives a flag for every setting, and -config; nil means that flags are not used.
	Flags *flag.FlagSet
	// Args are what Flags parses.
	Args []string
	// Environ looks up a variable; nil means the environment of the process.
	Environ func(name string) (value string, ok bool)
	// Prefix is the prefix of the variables; empty means EnvPrefix.
	Prefix string
	// Variables are the names of all variables. One that has the prefix, but is no setting and is not used as ${NAME} by a value, is a fault. Nil
	// permits them.
	Variables []string
	// Texts returns further text in which variables may be used as ${NAME}, such as that of a file that a value names; nil for none.
	Texts func() string
	// Check returns further faults of the values that were read; nil for none.
	Check func() []Fault
	// Places receives where the values come from, for [List]; nil if that is not needed.
	Places *Places
}

// Checker is a part of the configuration that validates its values. Keys are relative to it.
type Checker interface {
	Check() []Fault
}

// Fault is one thing that is wrong with the configuration.
type Fault struct {
	// Key is the setting at fault; empty when the file as a whole is.
	Key string
	// Where is the source of the value: `hawser.yaml:12`, or the name of a variable or flag.
	Where string
	// Text describes the problem.
	Text string
	// isUnread is set if the setting has its default instead of the value, which could not be read.
	isUnread bool
}

// Error is the fault on one line.
func (f Fault) Error() string {
	line := f.Text
	// The name of a flag is the key.
	if f.Key != "" && f.Where != "-"+f.Key {
		line = f.Key + ": " + line
	}
	if f.Where != "" {
		line = f.Where + ": " + line
	}
	return line
}

// Faults are all that is wrong with the configuration.
type Faults []Fault

// Error lists the faults, one a line.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Load fills into, a pointer to a struct that holds the defaults. The error is [Faults] with all problems, or the error
// of the flag set.
func Load(into any, opts Options) error {
	root := reflect.ValueOf(into).Elem()
	all := settings("", root)
	if opts.Environ == nil {
		opts.Environ = os.LookupEnv
	}
	opts.Prefix = cmp.Or(opts.Prefix, EnvPrefix)
	file, _ := opts.Environ(opts.Prefix + envFile)
	given, err := parseFlags(opts, all, &file)
	if err != nil {
		return err
	}
	var (
		faults Faults
		// texts are all that may use a variable as ${NAME}.
		texts []string
		from  = places{}
	)
	if file != "" {
		var raw []byte
		raw, faults = readFile(file, root, from)
		texts = append(texts, string(raw))
	}
	// Without the values of the file, what is said about others would be misleading.
	isUnread := slices.ContainsFunc(faults, func(f Fault) bool { return f.Key == "" })
	for _, s := range all {
		name := s.environment(opts.Prefix)
		if text, ok := opts.Environ(name); ok {
			faults, texts = append(faults, s.set(text, name, from)...), append(texts, text)
		}
		if text, ok := given[s.key]; ok {
			faults, texts = append(faults, s.set(text, "-"+s.key, from)...), append(texts, text)
		}
	}
	if opts.Texts != nil {
		texts = append(texts, opts.Texts())
	}
	faults = append(faults, unknownVariables(opts, all, texts)...)
	for _, f := range unreplaced(all, opts.Prefix) {
		f.Where, f.isUnread = from.of(f.Key), true
		faults = append(faults, f)
	}
	var found Faults
	if !isUnread {
		found = append(found, check("", root)...)
		if opts.Check != nil {
			found = append(found, opts.Check()...)
		}
	}
	for _, f := range found {
		// What is said about a default would be misleading.
		if slices.ContainsFunc(faults, func(other Fault) bool { return other.isUnread && within(f.Key, other.Key) }) {
			continue
		}
		f.Where = cmp.Or(f.Where, from.of(f.Key))
		faults = append(faults, f)
	}
	if len(faults) > 0 {
		return faults
	}
	if opts.Places != nil {
		*opts.Places = Places{at: from, prefix: opts.Prefix}
	}
	return nil
}

// within reports whether key is the setting at outer, or a part of it.
func within(key, outer string) bool {
	return key == outer || strings.HasPrefix(key, outer+".") || strings.HasPrefix(key, outer+"[")
}

// parseFlags returns the settings that were given as flags, and sets file if -config was given.
func parseFlags(opts Options, all []setting, file *string) (map[string]string, error) {
	given := map[string]string{}
	if opts.Flags == nil {
		return given, nil
	}
	opts.Flags.StringVar(file, "config", *file, "configuration file, YAML; also "+opts.Prefix+envFile)
	for _, s := range all {
		keep := func(text string) error {
			given[s.key] = text
			return nil
		}
		if s.value.Kind() == reflect.Bool {
			opts.Flags.BoolFunc(s.key, s.doc, keep)
			continue
		}
		opts.Flags.Func(s.key, s.doc, keep)
	}
	return given, opts.Flags.Parse(opts.Args)
}

// check validates every part of the configuration that is a [Checker], the innermost last.
func check(prefix string, v reflect.Value) (faults Faults) {
	if c, ok := v.Addr().Interface().(Checker); ok {
		for _, f := range c.Check() {
			f.Key = join(prefix, f.Key)
			faults = append(faults, f)
		}
	}
	for f := range fields(v) {
		if isSection(f.value.Type()) {
			faults = append(faults, check(join(prefix, f.name), f.value)...)
		}
	}
	return faults
}

// Faultf returns a fault of the setting at key.
func Faultf(key, format string, args ...any) Fault {
	return Fault{Key: key, Text: fmt.Sprintf(format, args...)}
}

// IsFaults reports whether err is about the configuration, and returns what is wrong.
func IsFaults(err error) (Faults, bool) { return errors.AsType[Faults](err) }
