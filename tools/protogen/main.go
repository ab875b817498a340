// Protogen writes the Go of the plugin contracts: every .proto below
// plugins/proto becomes a .pb.go beside it, and a _grpc.pb.go where it declares
// a service. It needs no protoc: protocompile reads the files, and the two
// generators are the versions that go.mod pins as tools.
//
//	cd tools/protogen && go run .
package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// root is where the contracts are, from this folder.
const root = "../../plugins/proto"

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	names, err := protoFiles()
	if err != nil {
		return err
	}
	c := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{root}},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := c.Compile(ctx, names...)
	if err != nil {
		return err
	}
	req := &pluginpb.CodeGeneratorRequest{
		FileToGenerate: names,
		Parameter:      proto.String("paths=source_relative"),
	}
	seen := make(map[string]bool)
	for _, f := range files {
		addFile(req, f, seen)
	}
	in, err := proto.Marshal(req)
	if err != nil {
		return err
	}
	for _, tool := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		if err := generate(ctx, tool, in); err != nil {
			return fmt.Errorf("%s: %w", tool, err)
		}
	}
	return nil
}

// protoFiles lists the contracts relative to root, sorted.
func protoFiles() ([]string, error) {
	var names []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".proto" {
			return err
		}
		rel, err := filepath.Rel(root, path)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	sort.Strings(names)
	return names, err
}

// addFile appends f after everything that it imports, as generators expect.
func addFile(req *pluginpb.CodeGeneratorRequest, f protoreflect.FileDescriptor, seen map[string]bool) {
	if seen[f.Path()] {
		return
	}
	seen[f.Path()] = true
	for i := range f.Imports().Len() {
		addFile(req, f.Imports().Get(i).FileDescriptor, seen)
	}
	// A result of the compiler keeps the descriptor with its comments.
	if r, ok := f.(interface {
		FileDescriptorProto() *descriptorpb.FileDescriptorProto
	}); ok {
		req.ProtoFile = append(req.ProtoFile, r.FileDescriptorProto())
		return
	}
	req.ProtoFile = append(req.ProtoFile, protodesc.ToFileDescriptorProto(f))
}

// generate runs one generator and writes what it returns.
func generate(ctx context.Context, tool string, in []byte) error {
	cmd := exec.CommandContext(ctx, "go", "tool", tool)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	var resp pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &resp); err != nil {
		return err
	}
	if resp.Error != nil {
		return fmt.Errorf("%s", resp.GetError())
	}
	for _, f := range resp.File {
		if strings.Contains(f.GetName(), "..") {
			return fmt.Errorf("would write outside %s: %s", root, f.GetName())
		}
		path := filepath.Join(root, filepath.FromSlash(f.GetName()))
		if err := os.WriteFile(path, []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
