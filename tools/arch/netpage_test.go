package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	pageLink    = regexp.MustCompile(`\[([^\]]+)\]\(([^)#]+)\)`)
	pageSetting = regexp.MustCompile("`((?:sv|cl|net|lag|plugin|vis|demo|r)\\.[a-z0-9_]+)(?: [0-9]+)?`")
	pageTest    = regexp.MustCompile("`(Test[A-Za-z0-9]+)`")
)

// net/README.md leads through the code: each link is a file, a name in a link is
// declared there, each setting is one of the settings' pages, each test exists.
func TestNetPageIsTheCode(t *testing.T) {
	root := "../.."
	text, err := os.ReadFile(filepath.Join(root, "net", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	links := pageLink.FindAllStringSubmatch(page, -1)
	for _, l := range links {
		if strings.Contains(l[2], "://") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, "net", l[2]))
		if err != nil {
			t.Errorf("%s: %v", l[0], err)
			continue
		}
		if !strings.HasPrefix(l[1], "`") || !strings.HasSuffix(l[2], ".go") {
			continue
		}
		name := strings.Trim(l[1], "`")
		declared := regexp.MustCompile(`(?m)^(func (\([a-z]+ \*?[A-Za-z]+\) )?|type )` + regexp.QuoteMeta(name[strings.LastIndexByte(name, '.')+1:]) + `\b`)
		if !declared.Match(b) {
			t.Errorf("%s does not declare %s", l[2], name)
		}
	}
	if len(links) < 25 {
		t.Errorf("only %d links", len(links))
	}
	var settings string
	for _, f := range []string{"settings.md", "settings-client.md"} {
		b, err := os.ReadFile(filepath.Join(root, "docs", f))
		if err != nil {
			t.Fatal(err)
		}
		settings += string(b)
	}
	for _, m := range pageSetting.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(settings, "| `"+m[1]+"` |") {
			t.Errorf("there is no setting %s", m[1])
		}
	}
	tests := testNames(t, root)
	for _, m := range pageTest.FindAllStringSubmatch(page, -1) {
		if !tests[m[1]] {
			t.Errorf("there is no %s", m[1])
		}
	}
}

// testNames lists the names of all tests.
func testNames(t *testing.T, root string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	decl := regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(`)
	for _, top := range []string{"engine", "examples", "game", "net", "plugins", "render", "tools"} {
		err := filepath.Walk(filepath.Join(root, top), func(path string, info os.FileInfo, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			b, err := os.ReadFile(path)
			for _, m := range decl.FindAllSubmatch(b, -1) {
				names[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}
