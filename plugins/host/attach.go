package host

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/sightline-engine/sightline/plugins/internal/contract"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
)

// attachLimit is how long a tick waits for a plugin in a debugger.
const attachLimit = 24 * time.Hour

// patience is how long a tick waits where ticks wait.
func (c *Config) patience() time.Duration {
	if c.Attach != "" {
		return attachLimit
	}
	return waitLimit
}

// attacher makes a starter for a plugin that runs already.
func attacher(cfg *Config, kind string) (*starter, error) {
	e := &StartError{Plugin: "at " + cfg.Attach}
	path, ok := strings.CutPrefix(cfg.Attach, "unix:")
	switch {
	case !ok || path == "":
		e.Why = "cannot be attached: give the address that it prints when it is started with -debug: unix:/PATH"
	case cfg.LockedOnly:
		e.Why, e.Err = "may not be attached: only locked plugins may run here", fs.ErrPermission
	}
	if st, err := os.Stat(path); e.Why == "" && (err != nil || st.Mode()&fs.ModeSocket == 0) {
		e.Why, e.Err = fmt.Sprintf("cannot be attached: there is no socket %s: start the plugin with -debug", path), err
	}
	if e.Why != "" {
		return nil, e
	}
	dir, err := privateDir(tempDirs())
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", e.Plugin, err)
	}
	return &starter{cfg: cfg, kind: kind, name: "attached", dir: dir, socket: path, log: cfg.Log.With("plugin", "attached"), out: func(*output) {}}, nil
}

// Attached asks a plugin that somebody started with -debug who it is, without attaching
// it: Path is its address.
func Attached(ctx context.Context, address string) (*Description, error) {
	cfg := Config{Attach: address}
	cfg.fill()
	s, err := attacher(&cfg, "")
	if err != nil {
		return nil, err
	}
	s.discard()
	e := &StartError{Plugin: "at " + address}
	conn, err := grpc.NewClient("unix:"+s.socket, append(contract.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err == nil {
		defer conn.Close()
		var info *basev1.InfoReply
		if info, err = basev1.NewBaseClient(conn).Info(ctx, &basev1.InfoRequest{}); err == nil {
			return described(info), nil
		}
	}
	e.Why, e.Err = fmt.Sprintf("could not be attached: nobody answers there (%v); start the plugin with -debug and give the line that it prints", status.Convert(err).Message()), err
	return nil, e
}

// attachLine is the handshake that an attached plugin would have printed.
func attachLine(socket string) string {
	return "1|" + strconv.Itoa(contract.Major) + "|unix|" + socket + "|grpc"
}

// detach ends what there is of an attached plugin here. The plugin itself notices that
// its stream has ended.
func (p *proc) detach() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.killed {
		p.killed = true
		p.how = "the attached plugin is gone"
		p.shakeW.Close()
		p.silentW.Close()
		close(p.exited)
	}
}

// mayRun says why a plugin may not be started now, "" when it may.
func (s *starter) mayRun() (why string, err error) {
	if s.socket != "" {
		return "", nil
	}
	if why, err := examine(s.path); why != "" {
		return why, err
	}
	return s.allowed()
}
